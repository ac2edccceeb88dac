import { isConnectionFailure } from '../../errors.ts';
import { type Parted, partsOf } from '../by-parts/parts.ts';
import type { Sendable } from '../statement.ts';

/**
 * The questions that the rest of the code asks of the database engine. One server takes any
 * statement; nodes that hold the accounts apart do not. `isDistributed` is read in this folder and
 * in the store of collections, whose statement is the hot write, and nowhere else.
 */

/** The layout of the database behind a pool; known after `lookAtLayout`. */
export interface Layout {
  /** Spread over nodes by account: some statements have another form there. */
  isDistributed: boolean;
  /** True if a statement found a node away since the last look at all of them (`reach.ts`). */
  isMissed: boolean;
  /** The accounts whose nodes answer, while one does not; null: all do, as far as is known. */
  within: readonly string[] | null;
}

interface Laid {
  readonly layout: Layout;
}

/** A database of one server, until a look says otherwise. */
export const oneServer = (): Layout => ({ isDistributed: false, isMissed: false, within: null });

/** Notes a failed statement: the next look for work finds out which node is away. */
export function noteFailure(layout: Layout, error: unknown): void {
  if (layout.isDistributed && isConnectionFailure(error)) layout.isMissed = true;
}

/** The parts by which a statement is run; null: it is sent as it is. */
export const partsToRun = (layout: Layout, { text, several }: Sendable): Parted | null =>
  layout.isDistributed && !several ? partsOf(text) : null;

/**
 * True if one transaction may hold and write rows of several accounts. A node commits by itself
 * what is written on it alone; across nodes that takes two phases, and no row is held.
 */
export const takesSeveralAccounts = ({ layout }: Laid): boolean => !layout.isDistributed;

/** Accounts that one statement takes: at most so many, or one. */
export const accountsAtOnce = (sql: Laid, most: number): number =>
  takesSeveralAccounts(sql) ? most : 1;

/** Items as they go into statements: all into one, or those of each account into one of its own. */
export const byStatement = <I>(
  sql: Laid,
  items: readonly I[],
  accountOf: (item: I) => string,
): I[][] =>
  takesSeveralAccounts(sql) ? [[...items]] : [...Map.groupBy(items, accountOf).values()];

/**
 * True if a query may look up rows for each row of another one, or go from account to account.
 * Nodes take joins by account alone.
 */
export const takesLookUps = ({ layout }: Laid): boolean => !layout.isDistributed;

/**
 * True if one statement may insert beside an update that finds its rows by their place. A node takes
 * such an update as a whole, but no statement with an insert in it.
 */
export const takesInsertsBeside = ({ layout }: Laid): boolean => !layout.isDistributed;

/** True if several connections may read one snapshot: nodes have none in common. */
export const sharesSnapshots = ({ layout }: Laid): boolean => !layout.isDistributed;

/** True while a node does not answer: what falls due on it is not seen. */
export const isNodeAway = ({ layout }: Laid): boolean => layout.within !== null;

/** True if a look for work costs a command for each shard, found or not. */
export const paysForLooks = ({ layout }: Laid): boolean => layout.isDistributed;
