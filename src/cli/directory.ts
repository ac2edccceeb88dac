import { access, constants, stat } from 'node:fs/promises';

/** Throws if files cannot be written; call it before any work that the files report. */
export async function mustTakeFiles(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) throw new Error(`There is no directory ${directory}.`);
  await access(directory, constants.W_OK).catch(() => {
    throw new Error(`Nothing can be written into ${directory}.`);
  });
}
