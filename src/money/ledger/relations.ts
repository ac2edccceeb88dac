import type { Queryable } from '../../platform/postgres/connect.ts';
import { isSealedAfter, sealedKeys } from '../../seals/index.ts';
import type { JournalKind } from './journal.ts';
import { journalEvidence } from './seal.ts';

/** Journals for the statements of other nouns: each is in one seal or in one pending delta. */

type Fragment = ReturnType<Queryable>;

const { kind } = journalEvidence;

/** Journals by their seals, as `(no, id)`: those after a seal, up to so many seals. */
export const journalsOfSeals = (
  sql: Queryable,
  accountId: string,
  { after, most }: { after: Fragment; most: number | null },
): Fragment => sql`
  select no, key::bigint as id
  from (${sealedKeys(sql, { accountId, kind }, { after, most })}) as sealed`;

/** Journals that no seal holds yet, as `(id)`. */
export const journalsWaiting = (sql: Queryable, accountId: string): Fragment => sql`
  select unnest(journal_ids) as id from balance_deltas where account_id = ${accountId}`;

/** True if an account `a` has journals in seals after the given one. */
export const hasSealedJournals = (sql: Queryable, after: Fragment): Fragment =>
  isSealedAfter(sql, kind, after);

/**
 * Results of some kinds of journals `(id)`, as `(result_id)`. Looks keys up as arrays: for a join
 * the planner nests loops if its statistics are poor.
 */
export const resultsOfJournals = (
  sql: Queryable,
  accountId: string,
  { kinds, of }: { kinds: readonly JournalKind[]; of: Fragment },
): Fragment => sql`
  select result_id from journals
  where account_id = ${accountId} and id = any(array(${of})) and kind = any(${[...kinds]}::text[])`;
