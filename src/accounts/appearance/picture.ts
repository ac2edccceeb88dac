import { crc32, inflateSync } from 'node:zlib';

// An uploaded logo is rebuilt from its drawing parts, so that nothing can hide in it, after it, or
// in its comments.

export const largestLogo = 256 * 1024;
export const logoSides = { least: 16, most: 1000 } as const;

export type LogoKind = 'png' | 'jpeg';

export interface Picture {
  kind: LogoKind;
  width: number;
  height: number;
  content: Buffer;
}

/** Why a file is not a usable logo. */
export type PictureFault = 'empty' | 'large' | 'svg' | 'kind' | 'sides' | 'broken' | 'shape';

type Read = Picture | PictureFault;

export const pngMark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const sidesFault = (width: number, height: number): boolean =>
  [width, height].some((side) => side < logoSides.least || side > logoSides.most);

export interface Chunk {
  type: string;
  data: Buffer;
  whole: Buffer;
}

/** Returns a PNG's chunks, or null if it is truncated or damaged. */
export function chunksOf(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let offset = pngMark.length;
  while (offset + 12 <= bytes.length) {
    const end = offset + 12 + bytes.readUInt32BE(offset);
    if (end > bytes.length) return null;
    const whole = bytes.subarray(offset, end);
    if (crc32(whole.subarray(4, -4)) !== whole.readUInt32BE(whole.length - 4)) return null;
    const chunk = { type: whole.toString('latin1', 4, 8), data: whole.subarray(8, -4), whole };
    chunks.push(chunk);
    if (chunk.type === 'IEND') return chunks;
    offset = end;
  }
  return null;
}

/** Samples per pixel, by color type. */
export const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function readPng(bytes: Buffer): Read {
  const chunks = chunksOf(bytes);
  const [head] = chunks ?? [];
  if (!chunks || head?.type !== 'IHDR' || head.data.length !== 13) return 'broken';
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  const [depth = 0, color = 0, , , interlaced = 0] = head.data.subarray(8);
  if (sidesFault(width, height)) return 'sides';
  const samples = samplesOf[color];
  const depths = color === 0 || color === 3 ? [1, 2, 4, 8] : [8];
  if (samples === undefined || !depths.includes(depth) || interlaced !== 0) return 'shape';
  if (color === 3 && !chunks.some(({ type }) => type === 'PLTE')) return 'broken';
  const rowBytes = 1 + Math.ceil((width * samples * depth) / 8);
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  try {
    // Bounds the output by the picture's own size, against decompression bombs.
    const pixels = inflateSync(Buffer.concat(packed), { maxOutputLength: rowBytes * height });
    if (pixels.length !== rowBytes * height) return 'broken';
    for (let offset = 0; offset < pixels.length; offset += rowBytes) {
      if ((pixels[offset] ?? 0) > 4) return 'broken';
    }
  } catch {
    return 'broken';
  }
  const essential = chunks.filter(({ type }) =>
    ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type),
  );
  const content = Buffer.concat([pngMark, ...essential.map(({ whole }) => whole)]);
  return { kind: 'png', width, height, content };
}

/** JPEG segments that affect pixels: tables, frame, scans, color space. */
const drawing = new Set([0xdb, 0xc4, 0xdd, 0xc0, 0xc1, 0xc2, 0xda, 0xe0, 0xee]);
const isFrame = (mark: number): boolean =>
  mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);

/** Returns the offset of the marker after a scan's data, or -1. */
function endOfScan(bytes: Buffer, from: number): number {
  for (
    let offset = bytes.indexOf(0xff, from);
    offset >= 0;
    offset = bytes.indexOf(0xff, offset + 1)
  ) {
    const next = bytes[offset + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return offset;
  }
  return -1;
}

interface Frame {
  width: number;
  height: number;
  plain: boolean;
}

const frameOf = (mark: number, data: Buffer): Frame | null =>
  data.length < 6
    ? null
    : {
        height: data.readUInt16BE(1),
        width: data.readUInt16BE(3),
        // Eight bits, grayscale or three colors, in a coding that all programs read.
        plain: mark <= 0xc2 && data[0] === 8 && (data[5] === 1 || data[5] === 3),
      };

function readJpeg(bytes: Buffer): Read {
  const segments: Buffer[] = [bytes.subarray(0, 2)];
  let frame: Frame | null = null;
  let scans = 0;
  let offset = 2;
  while (offset + 4 <= bytes.length || bytes[offset + 1] === 0xd9) {
    const mark = bytes[offset + 1] ?? 0;
    if (bytes[offset] !== 0xff) return 'broken';
    if (mark === 0xff) {
      offset += 1;
      continue;
    }
    if (mark === 0xd9) {
      if (frame === null || scans === 0) return 'broken';
      const { width, height } = frame;
      return { kind: 'jpeg', width, height, content: Buffer.concat([...segments, endMark]) };
    }
    const end = offset + 2 + bytes.readUInt16BE(offset + 2);
    if (end > bytes.length || end < offset + 4) return 'broken';
    const data = bytes.subarray(offset + 4, end);
    if (isFrame(mark)) {
      if (frame !== null) return 'broken';
      frame = frameOf(mark, data);
      if (frame === null) return 'broken';
      if (!frame.plain) return 'shape';
      if (sidesFault(frame.width, frame.height)) return 'sides';
    }
    const after = mark === 0xda ? endOfScan(bytes, end) : end;
    if (after < 0 || (mark === 0xda && (frame === null || after === end))) return 'broken';
    if (mark === 0xda) scans += 1;
    if (drawing.has(mark)) segments.push(bytes.subarray(offset, after));
    offset = after;
  }
  return 'broken';
}

const endMark = Buffer.from([0xff, 0xd9]);

/** Rebuilds a PNG or JPEG, whichever its first bytes say. Returns a fault for any other content. */
export function readPicture(bytes: Buffer): Read {
  if (bytes.length === 0) return 'empty';
  if (bytes.length > largestLogo) return 'large';
  if (bytes.subarray(0, pngMark.length).equals(pngMark)) return readPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return readJpeg(bytes);
  return /<svg|<\?xml|<!doctype|<html|<script/i.test(bytes.toString('latin1', 0, 4096))
    ? 'svg'
    : 'kind';
}
