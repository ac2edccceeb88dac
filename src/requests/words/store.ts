import { entriesOf, searchWordsOf } from '../../kernel/search-words.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable, Sql } from '../../platform/postgres/connect.ts';
import { takesLookUps } from '../../platform/postgres/distributed/engine.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import {
  isSealedAfter,
  nextSeal,
  sealedAccounts,
  sealedKeys,
  unsealedKeys,
  unsealedSince,
} from '../../seals/index.ts';
import { requestEvidence } from '../evidence.ts';
import type { RequestKind } from '../states.ts';
import { lookUpRequests } from '../store.ts';
import { wordsLock } from './lock.ts';

type Fragment = ReturnType<Queryable>;

export interface SearchedTexts {
  kind: RequestKind;
  id: number;
  payer: string;
  reference: string | null;
  description: string;
  email: string | null;
  /** Id of a QR, chosen by its creator. */
  qr_id: string | null;
}

/** Returns the words that find a request. */
export const searchedWords = ({
  payer,
  reference,
  description,
  email,
  qr_id,
}: Omit<SearchedTexts, 'kind' | 'id'>): string[] =>
  searchWordsOf(payer, reference, description, email, qr_id);

const searched = (sql: Queryable): Fragment => sql`
  kind, id, payer, reference, description, details->>'payer_email' as email,
  case kind when 'qr' then code end as qr_id`;

/** Tests whether the request `r` was edited, which only QRs can be. */
const edited = (sql: Queryable): Fragment => sql`
  (r.kind = 'qr' and r.details->>'edited_at' is not null)`;

/**
 * Tests whether the request `r` has no words, or outdated ones. Payments of printed QRs never have
 * any.
 */
const lacksWords = (sql: Queryable): Fragment => sql`
  (r.kind <> 'qr' or r.details->>'static_id' is null) and (${edited(sql)} or not exists (
    select from request_words w where w.account_id = r.account_id and w.kind = r.kind and w.id = r.id))`;

/** Selects the seal up to which an account is indexed. */
const markOf = (sql: Queryable, account: Fragment): Fragment => sql`
  coalesce((
    select m.seal_no from request_word_marks m where m.account_id = ${account}), 0)`;

/**
 * A seal with possibly unindexed requests. `ids` is null if the seals before it already fill the
 * read.
 */
export interface NextSeal {
  account_id: string;
  no: number;
  ids: number[] | null;
}

const nextOf = (sql: Queryable, account: Fragment): Fragment =>
  nextSeal(sql, requestEvidence.kind, { account, after: markOf(sql, account) });

/** Reads the next seals of some accounts, with ids for the first ones, up to `most` in total. */
export const nextSeals = (
  sql: Queryable,
  accountIds: readonly string[],
  most: number,
): Promise<NextSeal[]> => {
  // As a value, so that the planner finds the account's node.
  const [accountId = ''] = accountIds;
  if (accountIds.length === 1) {
    return sql<NextSeal[]>`
      select ${accountId}::text as account_id, no, keys::bigint[] as ids
      from ${nextOf(sql, sql`${accountId}`)} as next`;
  }
  return sql<NextSeal[]>`
    select account_id, no, case when upto - cardinality(keys) < ${most} then keys::bigint[] end as ids
    from (
      select a.account_id, no, keys, sum(cardinality(keys)) over (order by place) as upto
      from unnest(${[...accountIds]}::text[]) with ordinality as a (account_id, place)
      cross join lateral ${nextOf(sql, sql`a.account_id`)} as next
    ) as next`;
};

type Written = SearchedTexts & { account_id: string; version: number; edited: boolean };

const stored = (accountId: string, row: SearchedTexts): string =>
  [...new Set(searchedWords(row).flatMap(entriesOf))]
    .map((entry) => `${accountId}${entry}`)
    .join(' ');

/**
 * Replaces the words of edited requests. Skips a request that was edited again, because its next
 * seal triggers another rewrite.
 */
async function rewriteWords(
  sql: Queryable,
  accountId: string,
  rows: readonly Written[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into request_words as w (account_id, kind, id, words)
    select r.account_id, r.kind, r.id, array_to_tsvector(string_to_array(one.words, ' '))
    from ${recordset(
      sql,
      'one (id bigint, version int, words text)',
      rows.map((row) => ({ ...row, words: stored(accountId, row) })),
    )}
    join requests r on r.account_id = ${accountId} and r.id = one.id and r.version = one.version
    order by r.id
    on conflict (account_id, kind, id) do update set words = excluded.words
    where w.words <> excluded.words`;
}

interface Named {
  accountId: string;
  id: number;
}

/** Reads the texts of requests without words. */
const wordless = (sql: Queryable, named: readonly Named[]) => sql<Written[]>`
  select r.account_id, ${searched(sql)}, r.version, ${edited(sql)} as edited
  from unnest(${named.map(({ accountId }) => accountId)}::text[],
    ${named.map(({ id }) => id)}::bigint[]) as named (account_id, key_id)
  ${lookUpRequests(
    sql,
    'named',
    'id',
    'key_id',
    named.map(({ accountId }) => accountId),
  )}
  where ${lacksWords(sql)}`;

/**
 * Writes missing words. Concurrent calls write the same. Skips requests that changed since their
 * texts were read, because their next seal brings them back.
 */
export async function writeWords(sql: Sql, named: readonly Named[]): Promise<void> {
  const rows = await wordless(sql, named);
  if (rows.length === 0) return;
  await withAdvisoryLock(sql, wordsLock, { mode: 'shared', wait: true }, (tx) =>
    writeRows(tx, rows),
  );
}

async function writeRows(sql: Queryable, rows: readonly Written[]): Promise<void> {
  const edited = rows.filter((row) => row.edited);
  for (const [accountId, some] of Map.groupBy(edited, (row) => row.account_id)) {
    await rewriteWords(sql, accountId, some);
  }
  const fresh = rows.filter((row) => !row.edited);
  if (fresh.length === 0) return;
  await sql`
    insert into request_words (account_id, kind, id, words)
    select r.account_id, r.kind, r.id, array_to_tsvector(string_to_array(one.words, ' '))
    from ${recordset(
      sql,
      'one (account_id text, id bigint, version int, words text)',
      fresh.map((row) => ({ ...row, words: stored(row.account_id, row) })),
    )}
    ${lookUpRequests(
      sql,
      'one',
      'id',
      'id',
      fresh.map((row) => row.account_id),
    )}
    where r.version = one.version
    order by r.account_id, r.kind, r.id
    on conflict do nothing`;
}

/** Records up to which seals accounts are indexed. */
export async function moveMarks(sql: Queryable, seals: readonly NextSeal[]): Promise<void> {
  if (seals.length === 0) return;
  await sql`
    insert into request_word_marks as m (account_id, seal_no)
    select account_id, no from ${recordset(sql, 'read (account_id text, no int)', seals)}
    order by account_id
    on conflict (account_id) do update set seal_no = greatest(m.seal_no, excluded.seal_no)`;
}

/** Returns the accounts that have seals of requests after the last indexed one. */
export async function accountsWithoutWords(sql: Queryable): Promise<string[]> {
  const mark = markOf(sql, sql`a.account_id`);
  const rows = await sql<{ account_id: string }[]>`
    select a.account_id from ${sealedAccounts(sql)}
    where ${isSealedAfter(sql, requestEvidence.kind, mark)} order by a.account_id`;
  return rows.map((row) => row.account_id);
}

/** Maximum number of unindexed seals to search, newest first. */
const sealsLooked = 50;
/**
 * Maximum number of keys to look up, so that a search stays fast after a spreadsheet of 100,000
 * rows.
 */
const keysLooked = 4_000;

/**
 * Returns the newest unindexed requests that pass conditions: those of the last seconds. Omits
 * older ones while a backlog is being indexed. Looks up keys one by one, because for a join the
 * planner walks the table.
 */
export async function withoutWords(
  sql: Queryable,
  accountId: string,
  { where, most }: { where: Fragment; most: number },
): Promise<SearchedTexts[]> {
  const since = await unsealedSince(sql, accountId);
  const fresh = unsealedKeys(sql, requestEvidence, accountId, since);
  const sealed = sealedKeys(
    sql,
    { accountId, kind: requestEvidence.kind },
    { after: markOf(sql, sql`${accountId}`), most: sealsLooked, newest: true },
  );
  const late = sql`
    select distinct id from (
      select id from (${fresh}) as fresh (account_id, id)
      union all
      select key::bigint from (${sealed}) as s
      limit ${keysLooked}
    ) as newest (id)`;
  const lacking = (ids: Fragment): Fragment => sql`
    select ${searched(sql)} from requests r where ${where} and id ${ids} and ${lacksWords(sql)}`;
  if (!takesLookUps(sql)) {
    const ids = (await sql<{ id: number }[]>`${late}`).map(({ id }) => id);
    return await sql<SearchedTexts[]>`
      ${lacking(sql`= any(${ids}::bigint[])`)} order by id desc limit ${most}`;
  }
  return await sql<SearchedTexts[]>`
    with late (id) as materialized (${late})
    select one.* from late cross join lateral (${lacking(sql`= late.id`)} offset 0) as one
    order by one.id desc limit ${most}`;
}
