import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../platform/errors.ts';
import { createSlots } from '../../platform/slots.ts';

/** A file that came with a form. */
export interface SentFile {
  name: string;
  bytes: Buffer;
}

/** What a form with a file sent. */
export interface Sent {
  posted: URLSearchParams;
  file: SentFile | null;
}

/** Largest file of a form. */
const largestFile = 16 * 1024 * 1024;
const limits = {
  fileSize: largestFile,
  files: 1,
  fields: 200,
  fieldSize: 16 * 1024,
  parts: 201,
  fieldNameSize: 100,
};

/** Files that are held in memory at a time; the others wait. */
const slots = createSlots(4);
const patienceMs = 20_000;

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413;

async function readParts(request: FastifyRequest): Promise<Sent> {
  const posted = new URLSearchParams();
  let file: SentFile | null = null;
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') file = { name: part.filename, bytes: await part.toBuffer() };
    else posted.append(part.fieldname, String(part.value));
  }
  return { posted, file: file !== null && file.bytes.length > 0 ? file : null };
}

/** Reads a form with a file; null: it was sent without one. 413: larger than any that is taken. */
export async function readSent(request: FastifyRequest): Promise<Sent | null> {
  if (!request.isMultipart()) return null;
  try {
    return await slots.run(() => readParts(request), patienceMs);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    const most = largestFile / 1024 / 1024;
    throw new Refusal('too_large', `The file has more than ${most} MiB.`);
  }
}
