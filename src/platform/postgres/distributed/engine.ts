import { isConnectionFailure } from '../../errors.ts';
import { type Parted, partsOf } from '../by-parts/parts.ts';
import type { Sendable } from '../statement.ts';

/**
 * Capabilities of the database engine. One server takes any statement; a distributed database does
 * not. Only this folder and the store of collections, whose statement is the hot write, read
 * `isDistributed`.
 */

/** The layout of a pool's database, known after `lookAtLayout`. */
export interface Layout {
  /** True if distributed over nodes by account: some statements have another form there. */
  isDistributed: boolean;
  /** True if a statement met an unreachable node since the last check (`reach.ts`). */
  isMissed: boolean;
  /** Accounts on reachable nodes while a node is down; null if all answer. */
  within: readonly string[] | null;
}

interface Laid {
  readonly layout: Layout;
}

/** The default before `lookAtLayout`: one server. */
export const oneServer = (): Layout => ({ isDistributed: false, isMissed: false, within: null });

/** Records a failed statement; the next look for work finds out which node is down. */
export function noteFailure(layout: Layout, error: unknown): void {
  if (layout.isDistributed && isConnectionFailure(error)) layout.isMissed = true;
}

/** Splits a statement for the engine; null if it runs as a whole. */
export const partsToRun = (layout: Layout, { text, several }: Sendable): Parted | null =>
  layout.isDistributed && !several ? partsOf(text) : null;

/**
 * True if one transaction may lock and write several accounts' rows. A node alone commits in one
 * phase; several need two phases and cannot lock rows together.
 */
export const takesSeveralAccounts = ({ layout }: Laid): boolean => !layout.isDistributed;

/** Returns how many accounts one statement may take. */
export const accountsAtOnce = (sql: Laid, most: number): number =>
  takesSeveralAccounts(sql) ? most : 1;

/** Splits items into statements: one for all, or one per account. */
export const byStatement = <I>(
  sql: Laid,
  items: readonly I[],
  accountOf: (item: I) => string,
): I[][] =>
  takesSeveralAccounts(sql) ? [[...items]] : [...Map.groupBy(items, accountOf).values()];

/** True if a query may join laterally or across accounts; nodes join by account only. */
export const takesLookUps = ({ layout }: Laid): boolean => !layout.isDistributed;

/**
 * True if one statement may combine an insert with an update by ctid; nodes take such an update
 * alone.
 */
export const takesInsertsBeside = ({ layout }: Laid): boolean => !layout.isDistributed;

/** True if connections may share a snapshot; nodes have none in common. */
export const sharesSnapshots = ({ layout }: Laid): boolean => !layout.isDistributed;

/** True while a node is down: its due work is invisible. */
export const isNodeAway = ({ layout }: Laid): boolean => layout.within !== null;

/** True if a look for work costs a command per shard, found or not. */
export const paysForLooks = ({ layout }: Laid): boolean => layout.isDistributed;
