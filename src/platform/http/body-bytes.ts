import type { IncomingMessage } from 'node:http';
import { refusal } from '../codes.ts';
import { Refusal } from '../errors.ts';
import type { GiveBack, MemoryBudget } from '../memory-budget.ts';

/** Bodies up to this size are read at once. Larger ones reserve memory first. */
const smallBytes = 64 * 1024;

export interface ReadBytes {
  /** Maximum bytes on this route. */
  limit: number;
  budget: MemoryBudget;
  /** Account or network that a large body's memory counts against. */
  holder: string;
  /** Receives the function that releases the memory, to call after the response. */
  onTaken(giveBack: GiveBack): void;
}

/** A fixed-size buffer. Its memory pages cost nothing until they are written. */
class Room {
  readonly bytes: Buffer;
  length = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  add(chunk: Buffer): void {
    this.length += chunk.copy(this.bytes, this.length);
  }
}

/** Waits until the budget has memory for a body. Stops waiting if the caller disconnects. */
async function roomFor(
  { budget, holder, onTaken }: ReadBytes,
  size: number,
  raw: IncomingMessage,
): Promise<Room> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  raw.once('close', leave);
  try {
    onTaken(await budget.take(holder, size, gone.signal));
  } finally {
    raw.off('close', leave);
  }
  return new Room(size);
}

/** Reads a small body with a Content-Length. Nearly all bodies are like that. */
const readSmall = (raw: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    raw.on('data', (chunk: Buffer) => chunks.push(chunk));
    let whole = false;
    raw.once('end', () => {
      whole = true;
      resolve(joined(chunks));
    });
    // Every call emits `close`, so create an error only if the body is incomplete.
    const unlessWhole = (): void => {
      if (!whole) reject(refusal('body_cut', {}));
    };
    raw.once('error', unlessWhole);
    raw.once('close', unlessWhole);
  });

const joined = (chunks: Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

async function readLarge(
  raw: IncomingMessage,
  options: ReadBytes,
  declaredLength: number,
): Promise<Buffer> {
  const { limit } = options;
  let room = declaredLength > smallBytes ? await roomFor(options, declaredLength, raw) : null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) throw refusal('body_too_large', { limit });
    if (room === null && length > smallBytes) {
      room = await roomFor(options, limit, raw);
      for (const early of chunks.splice(0)) room.add(early);
    }
    if (room) room.add(chunk);
    else chunks.push(chunk);
  }
  return room ? room.bytes.subarray(0, room.length) : joined(chunks);
}

/**
 * Reads a body. A large one reserves memory from the budget first, so that concurrent ones queue.
 * Throws 413 above the limit, 400 if truncated.
 */
export async function readBytes(raw: IncomingMessage, options: ReadBytes): Promise<Buffer> {
  const { limit } = options;
  const declared = raw.headers['content-length'];
  const declaredLength = declared === undefined ? 0 : Number(declared);
  if (declaredLength > limit) throw refusal('body_too_large', { limit });
  if (declared !== undefined && declaredLength <= smallBytes) return await readSmall(raw);
  try {
    return await readLarge(raw, options, declaredLength);
  } catch (error) {
    throw error instanceof Refusal ? error : refusal('body_cut', {});
  }
}
