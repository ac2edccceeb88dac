import type { FastifyRequest } from 'fastify';
import { Refusal } from '../../platform/errors.ts';
import { createFairSlots } from '../../platform/slots.ts';
import { refusal } from './codes.ts';

export interface SentFile {
  name: string;
  bytes: Buffer;
}

/** A posted form and its file. */
export interface UploadForm {
  posted: URLSearchParams;
  file: SentFile | null;
}

const largestFile = 16 * 1024 * 1024;
const limits = {
  fileSize: largestFile,
  files: 1,
  fields: 200,
  fieldSize: 16 * 1024,
  parts: 201,
  fieldNameSize: 100,
};

/** Limits the files in memory. */
const slots = createFairSlots({
  most: 8,
  each: 2,
  queued: 10,
  patienceMs: 20_000,
  refusal: () => refusal('upload.busy', {}),
});

/** The form had no valid token ahead of its file. */
export class Forged extends Error {}

export interface UploadTerms {
  /** The account, or the operator's staff. Each has separate slots. */
  holder: string;
  isToken(token: string): boolean;
}

async function readParts(
  request: FastifyRequest,
  { holder, isToken }: UploadTerms,
): Promise<UploadForm> {
  const posted = new URLSearchParams();
  let file: SentFile | null = null;
  for await (const part of request.parts({ limits })) {
    if (part.type === 'file') {
      if (!isToken(posted.get('token') ?? '')) throw new Forged();
      const { filename: name } = part;
      file = await slots.run(holder, async () => ({ name, bytes: await part.toBuffer() }));
    } else posted.append(part.fieldname, String(part.value));
  }
  return { posted, file: file !== null && file.bytes.length > 0 ? file : null };
}

/** Size limit of a form without its file. */
const besides = 1024 * 1024;

const tooLarge = (): Refusal => refusal('upload.too_large', { most: largestFile / 1024 / 1024 });

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && error.statusCode === 413;

/** Converts the error of an unreadable form, which is always the sender's fault. */
function refusalOf(error: unknown): Error {
  if (error instanceof Refusal || error instanceof Forged) return error;
  return isTooLarge(error) ? tooLarge() : refusal('form.broken', {});
}

/**
 * Reads a form with a file, or returns null without one. Throws Forged before it stores any byte of
 * a file. Throws 413 for a file above the limit, and 503 while too many files arrive.
 */
export async function readSent(
  request: FastifyRequest,
  terms: UploadTerms,
): Promise<UploadForm | null> {
  if (!request.isMultipart()) return null;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > largestFile + besides) throw tooLarge();
  try {
    return await readParts(request, terms);
  } catch (error) {
    throw refusalOf(error);
  }
}
