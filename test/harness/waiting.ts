import { expect, vi } from 'vitest';
import type { Queryable } from '../../src/platform/postgres/connect.ts';

/** Waits until this many sessions of the database wait for locks; at least one by default. */
export const untilWaiting = (sql: Queryable, count?: number): Promise<void> =>
  vi.waitFor(async () => {
    const held = await sql`
      select from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
    if (count === undefined) expect(held.length).toBeGreaterThan(0);
    else expect(held).toHaveLength(count);
  }, 10_000);
