import { setTimeout as sleep } from 'node:timers/promises';
import { lockNames } from './advisory-lock.ts';
import type { Sql } from './connect.ts';
import { broadcastPrefix } from './listener-progress.ts';

/** A second in total. A hung process catches up when it continues. */
const pausesMs = [1, 2, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Notifies every listening process, and waits up to a second until each has handled it. */
export async function tellAll(sql: Sql, topic: string): Promise<void> {
  const no = await sql.begin(async (tx) => {
    // Notifications arrive in commit order, so the lock keeps their numbers in order too.
    await lockNames(tx, 'recaudo telling');
    const [row] = await tx<{ no: number }[]>`
      with next as materialized (select nextval('told') as no)
      select no, pg_notify(${topic}, ${broadcastPrefix}::text || no) from next`;
    return row?.no ?? 0;
  });
  for (const pause of pausesMs) {
    const [behind] = await sql`
      select from pg_locks
      where locktype = 'advisory' and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = hashtext('recaudo listener')::bigint & 4294967295
        and objid::bigint < ${no}
      limit 1`;
    if (behind === undefined) return;
    await sleep(pause);
  }
}
