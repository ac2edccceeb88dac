import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from './connect.ts';

/**
 * Defines the order of lists. Ids come in blocks, so a row may become visible after rows with
 * larger ids. Statements that create rows take places for them, and lists show a row once no
 * earlier place can still appear.
 */

export type PlacedList = 'requests' | 'mandates';

/** Takes the place of a statement's new rows, as a value that is evaluated once. */
export const takePlace = (sql: Queryable, list: PlacedList, accountIds: readonly string[]) =>
  sql`(select take_place(${list}, ${[...new Set(accountIds)]}::text[]))`;

export interface Settling {
  /** Nothing more appears up to this place. */
  settled: number;
  /**
   * Waits up to half a second for creations in progress. Returns the place that is settled then.
   * Null if no creation is in progress.
   */
  wait: (() => Promise<number>) | null;
}

interface Open {
  last_place: number;
  settled: number;
  holders: string[];
}

/** Half a second in total. A slower creation delays the list's end, not its readers. */
const pausesMs = [1, 2, 2, 4, 8, 16, 32, 64, 128, 256];

export async function settling(
  sql: Queryable,
  list: PlacedList,
  accountId: string,
): Promise<Settling> {
  const look = async (former: string[] | null): Promise<Open> => {
    const [open] = await sql<Open[]>`
      select * from open_places(${list}, ${accountId}, ${former}::text[])`;
    if (!open) throw new Error('a query without a row');
    return open;
  };
  const { last_place: last, settled, holders } = await look(null);
  const wait = async (): Promise<number> => {
    let open: Open = { last_place: last, settled, holders };
    for (const pause of pausesMs) {
      await sleep(pause);
      open = await look(holders);
      if (open.holders.length === 0) return last;
    }
    return Math.min(open.settled, last);
  };
  return { settled, wait: holders.length === 0 ? null : wait };
}
