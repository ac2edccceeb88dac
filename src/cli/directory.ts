import { access, constants, stat } from 'node:fs/promises';

/** Throws where files cannot be written; asked before anything is done that they tell of. */
export async function mustTakeFiles(directory: string): Promise<void> {
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) throw new Error(`There is no directory ${directory}.`);
  await access(directory, constants.W_OK).catch(() => {
    throw new Error(`Nothing can be written into ${directory}.`);
  });
}
