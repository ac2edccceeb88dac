import type { Base } from '../platform/base.ts';
import { createClocks } from '../platform/clocks.ts';
import type { Log } from '../platform/log.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { lookAtLayout } from '../platform/postgres/distributed/look.ts';
import { idBlocks } from '../platform/postgres/id-blocks.ts';
import { type Reads, readPrimary } from '../platform/replica/reads.ts';
import type { SealKeys } from '../seals/index.ts';
import { stampWith } from '../seals/stamps.ts';

/** Maximum age of the operator's data in a process's cache. */
export const seenWithinMs = 5_000;

/**
 * Builds the base of every part. `keys` stamp writes made through `sql`. A stamp cannot be forged
 * without the keys.
 */
export async function createBase(
  sql: Sql,
  log: Log,
  { reads = readPrimary(sql), keys }: { reads?: Reads; keys?: () => Promise<SealKeys> } = {},
) {
  await lookAtLayout(sql);
  if (keys) stampWith(sql, keys);
  const clocks = await createClocks(sql, log);
  const base: Base = {
    sql,
    reads,
    clocks,
    log,
    requestIds: idBlocks(sql, 'request_ids'),
    recordIds: idBlocks(sql, 'record_ids'),
  };
  return { base, clocks };
}
