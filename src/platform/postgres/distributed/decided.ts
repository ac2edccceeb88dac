import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../connect.ts';

const pausesMs = [0, 5, 10, 20, 50, 100, 200];

/** Returns prepared transactions on the workers, or null if one did not answer. */
async function preparedOnWorkers(sql: Queryable): Promise<Set<string> | null> {
  const workers = await sql<{ success: boolean; result: string }[]>`
    select success, result from run_command_on_workers(
      'select coalesce(string_agg(gid, '',''), '''') from pg_prepared_xacts
       where database = current_database()')`;
  if (!workers.every(({ success }) => success)) return null;
  return new Set(workers.flatMap(({ result }) => result.split(',')).filter((gid) => gid !== ''));
}

/**
 * Returns true if every transaction that ended before the call is visible. The coordinator's
 * transaction ends before its parts on the workers, which may stay prepared for a moment, or until
 * a failed worker is back.
 */
export async function decidedEverywhere(sql: Queryable): Promise<boolean> {
  if (!sql.layout.isDistributed) return true;
  let open = await preparedOnWorkers(sql);
  for (const pause of pausesMs) {
    if (open === null) return false;
    if (open.size === 0) return true;
    await sleep(pause);
    const now = await preparedOnWorkers(sql);
    open = now && open.intersection(now);
  }
  return false;
}
