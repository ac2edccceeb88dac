import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** A file of an archive, streamed. */
export interface ZipPart {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/** A fast level, because sheets are repetitive. */
const level = 4;
const deflate = 8;
/** A constant time, so that the same rows yield the same bytes. */
const sameTime = '1980-01-01T12:00:00';

/** Compresses a part in another thread, at its reader's pace. */
async function* packed(part: ZipPart, entry: ZipInputFile): AsyncGenerator<Uint8Array> {
  async function* counted() {
    for await (const chunk of part.content) {
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
    }
  }
  // The stream itself reports failures.
  yield* pipeline(counted, createDeflateRaw({ level }), () => {});
}

/** Yields an archive in chunks. fflate writes the directory, Node compresses. */
export async function* zipped(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  for await (const part of parts) {
    const entry = {
      filename: part.name,
      size: 0,
      crc: 0,
      compression: deflate,
      mtime: sameTime,
    } as ZipInputFile;
    zip.add(entry);
    for await (const chunk of packed(part, entry)) {
      entry.ondata?.(null, chunk as Uint8Array<ArrayBuffer>, false);
      yield* ready.splice(0);
    }
    entry.ondata?.(null, new Uint8Array(0), true);
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready.splice(0);
}
