import { access, constants, stat } from 'node:fs/promises';

/** Throws if the directory is not writable. Call it before any work whose report goes there. */
export async function mustTakeFiles(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) throw new Error(`There is no directory ${directory}.`);
  await access(directory, constants.W_OK).catch(() => {
    throw new Error(`${directory} is not writable.`);
  });
}
