import { isConnectionFailure } from '../../errors.ts';
import { type Parted, partsOf } from '../by-parts/parts.ts';
import type { Sendable } from '../statement.ts';

/**
 * Capabilities of the database engine. A single server accepts any statement. A distributed
 * database does not. Outside this folder, only `src/money/collections/write.ts`, the hot write,
 * reads `isDistributed`.
 */

/** Layout of a pool's database, known after `lookAtLayout`. */
export interface Layout {
  /** True if distributed over nodes by account, where some statements need another form. */
  isDistributed: boolean;
  /** True if a statement met an unreachable node since the last check (`reach.ts`). */
  isMissed: boolean;
  /** Accounts on reachable nodes while a node is down. Null if all nodes answer. */
  within: readonly string[] | null;
}

interface Laid {
  readonly layout: Layout;
}

/** Returns the default before `lookAtLayout`: a single server. */
export const oneServer = (): Layout => ({ isDistributed: false, isMissed: false, within: null });

/** Records a connection failure, so that the next poll for work finds out which node is down. */
export function noteFailure(layout: Layout, error: unknown): void {
  if (layout.isDistributed && isConnectionFailure(error)) layout.isMissed = true;
}

/** Splits a statement for the engine. Returns null if it runs as a whole. */
export const partsToRun = (layout: Layout, { text, several }: Sendable): Parted | null =>
  layout.isDistributed && !several ? partsOf(text) : null;

/**
 * Returns true if one transaction may lock and write several accounts' rows. A single node commits
 * in one phase, while several need two phases and cannot lock rows together.
 */
export const takesSeveralAccounts = ({ layout }: Laid): boolean => !layout.isDistributed;

export const accountsAtOnce = (sql: Laid, most: number): number =>
  takesSeveralAccounts(sql) ? most : 1;

/** Splits items into statements: one for all, or one per account. */
export const byStatement = <I>(
  sql: Laid,
  items: readonly I[],
  accountOf: (item: I) => string,
): I[][] =>
  takesSeveralAccounts(sql) ? [[...items]] : [...Map.groupBy(items, accountOf).values()];

/** Returns true if a query may join laterally or across accounts. Nodes join by account only. */
export const takesLookUps = ({ layout }: Laid): boolean => !layout.isDistributed;

/**
 * Returns true if one statement may combine an insert with an update by ctid. Nodes accept such an
 * update only on its own.
 */
export const takesInsertsBeside = ({ layout }: Laid): boolean => !layout.isDistributed;

/** Returns true if connections may share a snapshot. Nodes have none in common. */
export const sharesSnapshots = ({ layout }: Laid): boolean => !layout.isDistributed;

/** Returns true while a node is down. Its due work is invisible. */
export const isNodeAway = ({ layout }: Laid): boolean => layout.within !== null;

/** Returns true if a poll for work costs a command per shard, even if it finds none. */
export const paysForLooks = ({ layout }: Laid): boolean => layout.isDistributed;
