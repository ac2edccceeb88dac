import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { printable } from '../../src/accounts/appearance/print-picture.ts';
import { readPicture } from '../../src/accounts/index.ts';
import { chunk, drawn, madePng } from '../portal/pictures.ts';

/** Returns the pixels of a picture on white, drawn by an independent library. */
async function onWhite(bytes: Buffer, width: number, height: number) {
  const image = await loadImage(bytes);
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return context.getImageData(0, 0, width, height).data;
}

function kept(bytes: Buffer): Buffer {
  const picture = readPicture(bytes);
  if (typeof picture === 'string') throw new Error(picture);
  return picture.content;
}

/** Returns filtered pixels for a PNG of 64 by 64, whose rows cycle through all five filters. */
function noise(samples: number, depth = 8): Buffer<ArrayBuffer> {
  const rowBytes = Math.ceil((64 * samples * depth) / 8);
  return Buffer.concat(
    Array.from({ length: 64 }, (_, y) =>
      Buffer.from([y % 5, ...Array.from({ length: rowBytes }, (_, x) => (x * 37 + y * 91) % 256)]),
    ),
  );
}

const palette = Buffer.from(Array.from({ length: 16 * 3 }, (_, at) => (at * 53) % 256));

test.each([
  ['translucent colors', [8, 6, 0, 0, 0], noise(4), []],
  ['translucent grays', [8, 4, 0, 0, 0], noise(2), []],
  ['a transparent color', [8, 2, 0, 0, 0], noise(3), [['tRNS', [0, 0, 0, 37, 0, 74]]]],
  ['a transparent gray', [4, 0, 0, 0, 0], noise(1, 4), [['tRNS', [0, 5]]]],
  [
    'a translucent palette',
    [4, 3, 0, 0, 0],
    noise(1, 4),
    [
      ['PLTE', [...palette]],
      ['tRNS', [0, 90, 255]],
    ],
  ],
] as const)('prints a logo with %s as it appears on white', async (_, shape, pixels, parts) => {
  const extra = parts.map(([type, data]) => chunk(type, Buffer.from([...data])));
  const logo = kept(madePng({ shape: [...shape], pixels, extra }));
  const printed = await printable(logo);
  expect(readPicture(printed)).toMatchObject({ kind: 'png', width: 64, height: 64 });
  expect(printed[25]).toBe(2);
  const [wanted, got] = [await onWhite(logo, 64, 64), await onWhite(printed, 64, 64)];
  const furthest = wanted.reduce(
    (most, one, at) => Math.max(most, Math.abs(one - (got[at] ?? 0))),
    0,
  );
  expect(furthest).toBeLessThanOrEqual(2);
});

test('scales a large logo down, keeping its proportions', async () => {
  const printed = readPicture(await printable(kept(drawn('png', 1000, 400))));
  expect(printed).toMatchObject({ width: 480, height: 192 });
  const tall = await printable(kept(drawn('png', 20, 1000)));
  expect([tall.readUInt32BE(16), tall.readUInt32BE(20)]).toEqual([4, 192]);
});

test('prints a JPEG or a small opaque PNG unchanged', async () => {
  const jpeg = kept(drawn('jpeg', 1000, 1000));
  expect(await printable(jpeg)).toBe(jpeg);
  const plain = kept(madePng());
  expect(await printable(plain)).toBe(plain);
});
