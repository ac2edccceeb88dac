import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import type { DrawingJobs } from '../../platform/drawing/thread.ts';
import { type Chunk, chunksOf, pngMark, samplesOf } from './picture.ts';

// A printed logo is small, on white. Full-size transparent logos would make every PDF large and
// slow.

/** Maximum pixels of a printed logo: four per point of its box. */
const most = { width: 480, height: 192 } as const;

interface Png {
  width: number;
  height: number;
  depth: number;
  color: number;
  palette: Buffer;
  /** The `tRNS` chunk, which each color type encodes differently. Null without transparency. */
  clear: Buffer | null;
  packed: Buffer;
}

function pngOf(chunks: readonly Chunk[]): Png {
  const of = (name: string) => chunks.filter(({ type }) => type === name).map(({ data }) => data);
  const [head] = of('IHDR');
  if (head === undefined) throw new Error('a logo that is kept is no PNG');
  return {
    width: head.readUInt32BE(0),
    height: head.readUInt32BE(4),
    depth: head[8] ?? 8,
    color: head[9] ?? 0,
    palette: of('PLTE')[0] ?? Buffer.alloc(0),
    clear: of('tRNS')[0] ?? null,
    packed: Buffer.concat(of('IDAT')),
  };
}

const nearest = (left: number, above: number, corner: number): number => {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
};

/** Reverses a row's filter in place (PNG, chapter 9). `before` is the row above. */
function unfilter(kind: number, row: Buffer, before: Buffer, step: number): void {
  for (let index = 0; index < row.length; index += 1) {
    const left = index < step ? 0 : (row[index - step] ?? 0);
    const above = before[index] ?? 0;
    const corner = index < step ? 0 : (before[index - step] ?? 0);
    const added =
      kind === 1
        ? left
        : kind === 2
          ? above
          : kind === 3
            ? (left + above) >> 1
            : kind === 4
              ? nearest(left, above, corner)
              : 0;
    row[index] = (row[index] ?? 0) + added;
  }
}

/** Writes a pixel's red, green, blue and opacity into `to`. */
type ReadPixel = (row: Buffer, x: number, to: number[]) => void;

const put = (to: number[], red: number, green: number, blue: number, opacity: number): void => {
  to[0] = red;
  to[1] = green;
  to[2] = blue;
  to[3] = opacity;
};

/** Reads a gray value or palette index of the given bit depth. */
const sampleAt = (row: Buffer, x: number, depth: number): number => {
  const bit = x * depth;
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
};

function readerOf({ color, depth, palette, clear }: Png): ReadPixel {
  if (color === 3) {
    return (row, x, to) => {
      const place = sampleAt(row, x, depth);
      const [red = 0, green = 0, blue = 0] = palette.subarray(place * 3, place * 3 + 3);
      put(to, red, green, blue, clear?.[place] ?? 255);
    };
  }
  if (color === 0) {
    const gone = clear?.readUInt16BE(0) ?? -1;
    const top = (1 << depth) - 1;
    return (row, x, to) => {
      const sample = sampleAt(row, x, depth);
      const grey = (sample * 255) / top;
      put(to, grey, grey, grey, sample === gone ? 0 : 255);
    };
  }
  if (color === 4) {
    return (row, x, to) => {
      const grey = row[x * 2] ?? 0;
      put(to, grey, grey, grey, row[x * 2 + 1] ?? 0);
    };
  }
  const samples = color === 6 ? 4 : 3;
  const gone = samples === 3 && clear ? [0, 2, 4].map((index) => clear.readUInt16BE(index)) : null;
  return (row, x, to) => {
    const index = x * samples;
    const [red = 0, green = 0, blue = 0] = [row[index], row[index + 1], row[index + 2]];
    const isGone = gone !== null && gone[0] === red && gone[1] === green && gone[2] === blue;
    put(to, red, green, blue, samples === 4 ? (row[index + 3] ?? 0) : isGone ? 0 : 255);
  };
}

const unpack = promisify(inflate);
const pack = promisify(deflate);

/**
 * Downscales a picture and flattens it onto white. Returns unfiltered PNG rows, with three bytes
 * per pixel.
 */
async function smallRows(png: Png, to: { width: number; height: number }): Promise<Buffer> {
  const bits = (samplesOf[png.color] ?? 1) * png.depth;
  const rowBytes = Math.ceil((png.width * bits) / 8);
  const pixels = await unpack(png.packed, { maxOutputLength: (1 + rowBytes) * png.height });
  const read = readerOf(png);
  const pixel = [0, 0, 0, 0];
  const rows = Buffer.alloc((1 + to.width * 3) * to.height);
  const sums = new Float64Array(to.width * 4);
  let before: Buffer = Buffer.alloc(rowBytes);
  for (let y = 0; y < png.height; y += 1) {
    const start = y * (1 + rowBytes);
    const row = pixels.subarray(start + 1, start + 1 + rowBytes);
    unfilter(pixels[start] ?? 0, row, before, Math.max(1, bits >> 3));
    before = row;
    for (let x = 0; x < png.width; x += 1) {
      read(row, x, pixel);
      add(sums, Math.floor((x * to.width) / png.width), pixel);
    }
    const place = Math.floor((y * to.height) / png.height);
    if (place !== Math.floor(((y + 1) * to.height) / png.height)) {
      settle(sums, rows, place * (1 + to.width * 3) + 1);
    }
  }
  return rows;
}

function add(sums: Float64Array, place: number, pixel: readonly number[]): void {
  const opacity = (pixel[3] ?? 255) / 255;
  const index = place * 4;
  for (let part = 0; part < 3; part += 1) {
    const value = (pixel[part] ?? 0) * opacity + 255 * (1 - opacity);
    sums[index + part] = (sums[index + part] ?? 0) + value;
  }
  sums[index + 3] = (sums[index + 3] ?? 0) + 1;
}

/** Writes the mean colors as a row, and resets the sums. */
function settle(sums: Float64Array, rows: Buffer, start: number): void {
  for (let index = 0; index < sums.length; index += 4) {
    const count = sums[index + 3] ?? 1;
    for (let part = 0; part < 3; part += 1) {
      rows[start + (index / 4) * 3 + part] = Math.round((sums[index + part] ?? 0) / count);
    }
  }
  sums.fill(0);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/**
 * Prepares a logo for documents: downscales a PNG and flattens it onto white. Returns a JPEG, or a
 * small opaque PNG, unchanged.
 */
export async function printable(content: Buffer): Promise<Buffer> {
  const chunks = content.subarray(0, pngMark.length).equals(pngMark) ? chunksOf(content) : null;
  if (chunks === null) return content;
  const png = pngOf(chunks);
  const share = Math.min(1, most.width / png.width, most.height / png.height);
  if (share === 1 && png.clear === null && png.color !== 4 && png.color !== 6) return content;
  const [width, height] = [png.width, png.height].map((side) =>
    Math.max(1, Math.round(side * share)),
  ) as [number, number];
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    pngMark,
    chunk('IHDR', head),
    chunk('IDAT', await pack(await smallRows(png, { width, height }))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Jobs of the drawing thread. */
export const jobs = {
  printedLogo: (content: Uint8Array): Promise<Buffer> => printable(Buffer.from(content)),
} satisfies DrawingJobs;
