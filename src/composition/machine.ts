import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Config } from '../config/index.ts';
import { vaultKeySince } from '../events/index.ts';
import { countUnderOtherKeys } from '../mandates/index.ts';
import type { Base } from '../platform/base.ts';
import { type DiskRoom, diskRoom } from '../platform/disk.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { serverState } from '../platform/postgres/server-state.ts';
import type { Vault } from '../platform/vault.ts';
import { countUploadsUnderOtherKeys } from '../rails/index.ts';
import { countKeysUnderOtherKeys } from '../secrets/index.ts';
import { countFactorsUnderOtherKeys } from '../users/index.ts';
import { keysStillNeeded } from './keys.ts';

/** Free space of a folder that the service writes to. Null if it is unreadable. */
export interface FolderRoom {
  folder: string;
  room: DiskRoom | null;
}

/** Maximum count of each kind of secret under older keys. */
export const mostUnderOtherKeys = 1_000;

/** Counts secrets under older keys, and seals that only older keys can verify. */
export async function waitingForRewrap(sql: Sql, config: Config, keyId: string): Promise<number> {
  const counts = await Promise.all(
    [
      countUnderOtherKeys,
      countFactorsUnderOtherKeys,
      countKeysUnderOtherKeys,
      countUploadsUnderOtherKeys,
    ].map((count) => count(sql, keyId, mostUnderOtherKeys + 1)),
  );
  const { missing } = await keysStillNeeded(config, sql);
  return counts.reduce((sum, count) => sum + count, missing.length);
}

/** Reads the state of the service's infrastructure: disk, vault and database server. */
export function createMachineLook({ sql }: Base, config: Config, vault: Vault) {
  async function folders(): Promise<FolderRoom[]> {
    const all = [...new Set([path.resolve(config.DATA_DIR), tmpdir()])];
    return await Promise.all(
      all.map(async (folder) => ({ folder, room: await diskRoom(folder).catch(() => null) })),
    );
  }

  async function vaultState() {
    const keyId = vault.keyId();
    return {
      keyId,
      /** When this key first encrypted. Null if it replaced no other. */
      since: await vaultKeySince(sql, keyId),
      waiting: await waitingForRewrap(sql, config, keyId),
    };
  }

  return async () => {
    const [disk, vault, server] = await Promise.all([folders(), vaultState(), serverState(sql)]);
    return { disk, vault, server };
  };
}

export type ReadMachine = ReturnType<typeof createMachineLook>;
