import { isConnectionFailure } from '../../errors.ts';
import { type Parted, partsOf } from '../by-parts/parts.ts';
import type { Sendable } from '../statement.ts';

/**
 * Capabilities of the database engine. One server takes any statement; a database distributed by
 * account does not. Only this folder and the store of collections, whose statement is the hot
 * write, read `isDistributed`.
 */

/** The layout of a pool's database; known after `lookAtLayout`. */
export interface Layout {
  /** Spread over nodes by account: some statements have another form there. */
  isDistributed: boolean;
  /**
   * True if a statement has met an unreachable node since the last check of all of them
   * (`reach.ts`).
   */
  isMissed: boolean;
  /** The accounts on reachable nodes while a node is away; null if all answer. */
  within: readonly string[] | null;
}

interface Laid {
  readonly layout: Layout;
}

/** The default until `lookAtLayout`: one server. */
export const oneServer = (): Layout => ({ isDistributed: false, isMissed: false, within: null });

/** Notes a failed statement: the next look for work finds out which node is away. */
export function noteFailure(layout: Layout, error: unknown): void {
  if (layout.isDistributed && isConnectionFailure(error)) layout.isMissed = true;
}

/** Splits a statement for the engine; null if it runs as a whole. */
export const partsToRun = (layout: Layout, { text, several }: Sendable): Parted | null =>
  layout.isDistributed && !several ? partsOf(text) : null;

/**
 * True if one transaction may lock and write rows of several accounts. A node alone commits in one
 * phase; several nodes need two phases, and cannot lock rows together.
 */
export const takesSeveralAccounts = ({ layout }: Laid): boolean => !layout.isDistributed;

/** Accounts that one statement takes: at most so many, or one. */
export const accountsAtOnce = (sql: Laid, most: number): number =>
  takesSeveralAccounts(sql) ? most : 1;

/** Splits items into statements: all in one, or one for each account. */
export const byStatement = <I>(
  sql: Laid,
  items: readonly I[],
  accountOf: (item: I) => string,
): I[][] =>
  takesSeveralAccounts(sql) ? [[...items]] : [...Map.groupBy(items, accountOf).values()];

/** True if a query may use lateral look-ups or join across accounts. Nodes join by account only. */
export const takesLookUps = ({ layout }: Laid): boolean => !layout.isDistributed;

/**
 * True if one statement may combine an insert with an update by ctid. A node takes such an update
 * as a whole, but no statement with an insert in it.
 */
export const takesInsertsBeside = ({ layout }: Laid): boolean => !layout.isDistributed;

/** True if several connections may read one snapshot: nodes have none in common. */
export const sharesSnapshots = ({ layout }: Laid): boolean => !layout.isDistributed;

/** True while a node does not answer: its due work is not seen. */
export const isNodeAway = ({ layout }: Laid): boolean => layout.within !== null;

/** True if a look for work costs a command for each shard, found or not. */
export const paysForLooks = ({ layout }: Laid): boolean => layout.isDistributed;
