import type { Sql } from '../connect.ts';
import type { Layout } from './engine.ts';

/** Interval between checks of an unreachable node, so that not every poll for work pays for one. */
const everyMs = 2_000;
const lastLooks = new WeakMap<Layout, number>();

/**
 * Finds the reachable accounts after a statement met an unreachable node, until all nodes answer,
 * so that the work of these accounts continues.
 */
export async function lookAtReach(sql: Sql, nowMs: () => number): Promise<void> {
  const { layout } = sql;
  if (!layout.isMissed || nowMs() - (lastLooks.get(layout) ?? 0) < everyMs) return;
  lastLooks.set(layout, nowMs());
  const shards = await sql<{ success: boolean; ids: string }[]>`
    select success, result as ids from run_command_on_shards('accounts',
      'select coalesce(string_agg(id, '',''), '''') from %s')`;
  const isWhole = shards.every(({ success }) => success);
  const there = shards.filter(({ success }) => success).flatMap(({ ids }) => ids.split(','));
  layout.within = isWhole ? null : there.filter((id) => id !== '');
  layout.isMissed = !isWhole;
}
