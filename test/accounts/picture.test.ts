import { loadImage } from '@napi-rs/canvas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { largestLogo, readPicture } from '../../src/accounts/index.ts';
import { chunk, drawn, madePng } from '../portal/pictures.ts';

const script = Buffer.from('<script>alert(1)</script>');

test.each(['png', 'jpeg'] as const)('keeps only the image data of a %s', async (kind) => {
  const bytes = drawn(kind);
  const plain = readPicture(bytes);
  if (typeof plain === 'string') throw new Error(plain);
  expect([plain.kind, plain.width, plain.height]).toEqual([kind, 240, 96]);
  const read = readPicture(Buffer.concat([bytes, script]));
  expect(read).toEqual(plain);
  expect(plain.content.includes('script')).toBe(false);
  const image = await loadImage(plain.content);
  expect([image.width, image.height]).toEqual([240, 96]);
});

test('drops comments within an image', () => {
  const text = chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script]));
  const png = readPicture(madePng({ extra: [text] }));
  expect(typeof png === 'object' && png.content.includes('script')).toBe(false);
  const jpeg = drawn('jpeg');
  const head = Buffer.from([0xff, 0xfe, 0, script.length + 2]);
  const remarked = Buffer.concat([jpeg.subarray(0, 2), head, script, jpeg.subarray(2)]);
  const read = readPicture(remarked);
  expect(read).toEqual(readPicture(jpeg));
});

test.each([
  ['an empty file', '', 'empty'],
  ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'svg'],
  ['an SVG after an XML declaration', '<?xml version="1.0"?>\n<svg/>', 'svg'],
  ['an HTML page', '\n<!DOCTYPE html><script>x</script>', 'svg'],
  ['a GIF', 'GIF89a......', 'kind'],
  ['a script that calls itself PNG', 'alert("PNG")', 'kind'],
] as const)('refuses %s as a logo', (_what, text, fault) => {
  expect(readPicture(Buffer.from(text))).toBe(fault);
});

test('rejects a logo with too many bytes, or with sides that are too long or too short', () => {
  expect(readPicture(Buffer.concat([drawn('png'), Buffer.alloc(largestLogo)]))).toBe('large');
  expect(readPicture(drawn('png', 1001, 20))).toBe('sides');
  expect(readPicture(drawn('jpeg', 20, 1001))).toBe('sides');
  expect(readPicture(drawn('png', 15, 15))).toBe('sides');
});

test('refuses a PNG that unpacks to more or less data than its size declares', () => {
  expect(readPicture(madePng({ pixels: Buffer.alloc(200 * 1024 * 1024) }))).toBe('broken');
  expect(readPicture(madePng({ pixels: Buffer.alloc(10) }))).toBe('broken');
  expect(readPicture(madePng({ width: 32, height: 32 }))).toBe('broken');
});

test('refuses a 16-bit or interlaced PNG, and one without its palette', () => {
  expect(readPicture(madePng({ shape: [16, 2, 0, 0, 0] }))).toBe('shape');
  expect(readPicture(madePng({ shape: [8, 2, 0, 0, 1] }))).toBe('shape');
  expect(readPicture(madePng({ shape: [8, 3, 0, 0, 0], pixels: Buffer.alloc(64 * 65) }))).toBe(
    'broken',
  );
});

test('rejects truncated images and altered PNGs, and survives altered JPEGs', () => {
  const whole = drawn('png');
  for (const length of [9, 20, 33, 60, whole.length - 13, whole.length - 1]) {
    expect(readPicture(whole.subarray(0, length))).toBe('broken');
  }
  const jpeg = drawn('jpeg');
  for (const length of [3, 4, 20, 200, jpeg.length - 2]) {
    expect(typeof readPicture(jpeg.subarray(0, length))).toBe('string');
  }
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ by;
      expect(typeof readPicture(changed)).toBe('string');
    }),
  );
  fc.assert(
    fc.property(fc.nat(jpeg.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const changed = Buffer.from(jpeg);
      changed[at] = (changed[at] ?? 0) ^ by;
      readPicture(changed);
    }),
  );
});
