import type { Queryable } from '../../platform/postgres/connect.ts';
import { isSealedAfter, sealedKeys } from '../../seals/index.ts';
import type { JournalKind } from './journal.ts';
import { journalEvidence } from './seal.ts';

type Fragment = ReturnType<Queryable>;

const { kind } = journalEvidence;

/** Selects journals of a range of seals, as `(no, id)`. */
export const journalsOfSeals = (
  sql: Queryable,
  accountId: string,
  { after, most }: { after: Fragment; most: number | null },
): Fragment => sql`
  select no, key::bigint as id
  from (${sealedKeys(sql, { accountId, kind }, { after, most })}) as sealed`;

/** Selects journals without a seal, as `(id)`. Each journal is in one seal or one pending delta. */
export const journalsWaiting = (sql: Queryable, accountId: string): Fragment => sql`
  select unnest(journal_ids) as id from balance_deltas where account_id = ${accountId}`;

/** Tests whether an account `a` has journals in seals after the given one. */
export const hasSealedJournals = (sql: Queryable, after: Fragment): Fragment =>
  isSealedAfter(sql, kind, after);

/**
 * Selects the results of those journals in `of` that are of the given kinds, as `(result_id)`.
 * Passes keys as arrays, because with poor statistics the planner turns a join into nested loops.
 */
export const resultsOfJournals = (
  sql: Queryable,
  accountId: string,
  { kinds, of }: { kinds: readonly JournalKind[]; of: Fragment },
): Fragment => sql`
  select result_id from journals
  where account_id = ${accountId} and id = any(array(${of})) and kind = any(${[...kinds]}::text[])`;
