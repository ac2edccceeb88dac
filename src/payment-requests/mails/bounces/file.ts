import { readFile, stat } from 'node:fs/promises';
import type { Acting } from '../../../platform/base.ts';
import { refusal } from '../codes.ts';
import { type BouncesBooked, bookBounces } from './book.ts';

const largestFile = 64 * 1024 * 1024;

/** Records the bounces in a file. Reads it as Latin-1, because addresses and codes are ASCII. */
export async function bookBounceFile(acting: Acting, file: string): Promise<BouncesBooked> {
  const { size } = await stat(file);
  if (size > largestFile) {
    throw refusal('mail.bounces_too_large', { most: largestFile / 1024 / 1024 });
  }
  return await bookBounces(acting, await readFile(file, 'latin1'));
}
