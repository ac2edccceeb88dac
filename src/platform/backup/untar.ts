import { createWriteStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';

const blockBytes = 512;

/** Reads a stream of chunks in pieces of any size. */
class Reader {
  readonly #chunks: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns up to `most` bytes, or null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#left.length === 0) {
      const { value, done } = await this.#chunks.next();
      if (done) return null;
      this.#left = value;
    }
    const taken = this.#left.subarray(0, most);
    this.#left = this.#left.subarray(taken.length);
    return taken;
  }

  async exactly(bytes: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for (let missing = bytes; missing > 0; ) {
      const part = await this.some(missing);
      if (part === null) return null;
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }
}

const cut = (): Error => new Error('The tar of the base backup ends too early.');

/** Parses a size: octal digits, or base 256 for large ones. */
function sizeOf(header: Buffer): number {
  if (((header[124] ?? 0) & 0x80) !== 0) return Number(header.readBigUInt64BE(128));
  return Number.parseInt(header.toString('latin1', 124, 136).replaceAll('\0', ' ').trim(), 8);
}

const textAt = (header: Buffer, at: number, length: number): string =>
  header.toString('utf8', at, at + length).replace(/\0[\s\S]*$/, '');

async function writeEntry(reader: Reader, file: string, size: number, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  await handle.close();
  const stream = createWriteStream(file, { flags: 'r+' });
  const failed = new Promise<never>((_, reject) => stream.once('error', reject));
  failed.catch(() => {});
  for (let missing = size; missing > 0; ) {
    const part = await reader.some(missing);
    if (part === null) throw cut();
    missing -= part.length;
    if (!stream.write(part)) {
      const drained = new Promise<void>((resolve) => stream.once('drain', resolve));
      await Promise.race([drained, failed]);
    }
  }
  await Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed]);
}

/**
 * Unpacks a base backup's tar, which contains only files and folders, into an empty folder. Returns
 * the created paths. Throws if it is truncated or a path leads elsewhere.
 */
export async function untar(chunks: AsyncIterable<Buffer>, folder: string): Promise<string[]> {
  const reader = new Reader(chunks);
  const made: string[] = [];
  for (;;) {
    const header = await reader.exactly(blockBytes);
    if (header === null) throw cut();
    // Two empty blocks end the tar.
    if (header.every((byte) => byte === 0)) break;
    const prefix = textAt(header, 345, 155);
    const name = textAt(header, 0, 100);
    const file = path.join(folder, prefix, name);
    if (file !== folder && !file.startsWith(`${folder}${path.sep}`))
      throw new Error(`The base backup contains ${name}, which is outside of its folder.`);
    const kind = String.fromCharCode(header[156] ?? 0);
    const size = sizeOf(header);
    if (kind === '5') {
      await mkdir(file, { recursive: true, mode: 0o700 });
    } else if (kind === '0' || kind === '\0') {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeEntry(reader, file, size, 0o600);
      const padding = (blockBytes - (size % blockBytes)) % blockBytes;
      if (padding > 0 && (await reader.exactly(padding)) === null) throw cut();
    } else {
      throw new Error(`The base backup contains ${name}, which is not a file or folder.`);
    }
    made.push(file);
  }
  return made;
}
