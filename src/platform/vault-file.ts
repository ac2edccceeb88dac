import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { readVaultKeys, type VaultKey } from './vault.ts';

const fileOf = (dataDir: string): string => path.join(dataDir, 'vault-keys');

async function readFileOf(file: string): Promise<[VaultKey, ...VaultKey[]] | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const keys = readVaultKeys(text.trim());
  if (keys === null)
    throw new Error(`The file ${file} must contain keys in the format of VAULT_KEYS.`);
  // It may have been copied with other permissions.
  await chmod(file, 0o600);
  return keys;
}

/** Returns a data directory's keys, or null. Throws if the file is malformed. */
export const vaultKeysIn = (dataDir: string) => readFileOf(fileOf(dataDir));

/**
 * Creates a data directory's keys once, readable by their owner only. The sandbox encrypts with
 * them if none are configured. Concurrent starts get the same keys.
 */
export async function drawnVaultKeys(dataDir: string): Promise<[VaultKey, ...VaultKey[]]> {
  const file = fileOf(dataDir);
  const known = await readFileOf(file);
  if (known !== null) return known;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const own = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(own, 'wx', 0o600);
  try {
    // Distinguishes the keys of two directories.
    const id = `data-${randomBytes(4).toString('hex')}`;
    await handle.writeFile(`${id}:${randomBytes(32).toString('base64')}\n`);
    await handle.sync();
    // Links atomically and never replaces existing keys.
    await link(own, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await rm(own, { force: true });
  }
  const keys = await readFileOf(file);
  if (keys === null) throw new Error(`The file ${file} disappeared.`);
  return keys;
}
