import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** The archive is truncated, encrypted, or contradictory. */
export class BrokenZip extends Error {}

/** A file of a ZIP archive, from the directory. */
export interface ZipPart {
  name: string;
  /** Compressed and uncompressed bytes. */
  packed: number;
  size: number;
  deflated: boolean;
  /** Offset of its local header. */
  offset: number;
}

const endMark = 0x06054b50;
const endLength = 22;
const longestComment = 0xffff;
const entryMark = 0x02014b50;
const entryLength = 46;
const localMark = 0x04034b50;
const localLength = 30;
/** Marks a number that is in the ZIP64 extra field. */
const elsewhere = 0xffff_ffff;
const zip64Id = 1;

function endOf(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - endLength - longestComment);
  for (let from = bytes.length - endLength; from >= least; from -= 1) {
    if (bytes.readUInt32LE(from) === endMark) return from;
  }
  throw new BrokenZip('no directory');
}

/** Reads an entry's ZIP64 numbers, in the order of the fields they replace. */
function largeNumbers(extra: Buffer): number[] {
  for (let from = 0; from + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(from + 2);
    if (extra.readUInt16LE(from) === zip64Id) {
      const field = extra.subarray(from + 4, from + 4 + length);
      return Array.from({ length: Math.floor(field.length / 8) }, (_, index) =>
        Number(field.readBigUInt64LE(index * 8)),
      );
    }
    from += 4 + length;
  }
  return [];
}

function partAt(bytes: Buffer, from: number): { part: ZipPart; next: number } {
  if (bytes.readUInt32LE(from) !== entryMark) throw new BrokenZip('no entry');
  const flags = bytes.readUInt16LE(from + 8);
  const method = bytes.readUInt16LE(from + 10);
  if ((flags & 1) === 1 || (method !== 0 && method !== 8)) throw new BrokenZip('unknown packing');
  const nameEnd = from + entryLength + bytes.readUInt16LE(from + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(from + 30);
  const large = largeNumbers(bytes.subarray(nameEnd, extraEnd));
  const numberAt = (place: number): number => {
    const short = bytes.readUInt32LE(place);
    return short === elsewhere ? (large.shift() ?? short) : short;
  };
  const size = numberAt(from + 24);
  const packed = numberAt(from + 20);
  const offset = numberAt(from + 42);
  const name = bytes.toString('utf8', from + entryLength, nameEnd);
  const part = { name, packed, size, deflated: method === 8, offset };
  return { part, next: extraEnd + bytes.readUInt16LE(from + 32) };
}

const outOfBounds = (error: unknown): boolean => error instanceof RangeError;

/** Reads from an archive. An offset outside of it means that it is broken. */
function whole<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (outOfBounds(error)) throw new BrokenZip('cut short');
    throw error;
  }
}

/** Lists the directory's parts up to a limit, without unpacking. */
export const partsOf = (bytes: Buffer, most: number): ZipPart[] =>
  whole(() => {
    const parts: ZipPart[] = [];
    const end = endOf(bytes);
    const count = Math.min(bytes.readUInt16LE(end + 10), most);
    let from = bytes.readUInt32LE(end + 16);
    for (let index = 0; index < count; index += 1) {
      const { part, next } = partAt(bytes, from);
      parts.push(part);
      from = next;
    }
    return parts;
  });

const inflate = promisify(inflateRaw);

/** Unpacks a part. Throws BrokenZip if it is damaged, or larger than declared. */
export async function unpack(bytes: Buffer, part: ZipPart): Promise<Buffer> {
  const packed = whole(() => {
    if (bytes.readUInt32LE(part.offset) !== localMark) throw new BrokenZip('no header');
    const nameLength = bytes.readUInt16LE(part.offset + 26);
    const start = part.offset + localLength + nameLength + bytes.readUInt16LE(part.offset + 28);
    return bytes.subarray(start, start + part.packed);
  });
  if (!part.deflated) {
    if (packed.length !== part.size) throw new BrokenZip('wrong size');
    return packed;
  }
  try {
    return await inflate(packed, { maxOutputLength: Math.max(1, part.size) });
  } catch {
    throw new BrokenZip('not deflated, or larger than its directory says');
  }
}
