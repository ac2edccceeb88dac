import type { Queryable } from '../../platform/postgres/connect.ts';
import { type SealPlace, sealsOfKeys, stampKeys } from '../../seals/index.ts';
import type { JournalKind } from './journal.ts';
import type { Journal } from './movements.ts';
import { journalsWaiting } from './relations.ts';
import { forgedAmong, stampedJournals } from './stamp.ts';

/** A kind and day to search, because no index leads from a request to its journals. */
export interface JournalPlace {
  kind: JournalKind;
  day: Temporal.PlainDate;
  /** The lowest id to search. */
  from: number;
}

export interface RequestJournal extends Journal {
  result_id: number | null;
  /** `waiting`: awaits the next seal. `missing`: in no seal. `far`: outside the searched seals. */
  seal: SealPlace | 'waiting' | 'missing' | 'far';
  /** True if no process of the service wrote it. */
  isForged: boolean;
}

/** Maximum number of journals searched per place, and of journals returned. */
const mostLookedAt = 20_000;
const mostReturned = 200;
/** Allowed clock difference between processes. */
const skew = { minutes: 1 };

type Of = { accountId: string; requestId: number; resultIds: readonly number[] };
type Row = Journal & { result_id: number | null };

const placesIn = (sql: Queryable, places: readonly JournalPlace[]) => sql`
  unnest(${places.map(({ kind }) => kind)}::text[], ${places.map(({ day }) => day)}::date[],
    ${places.map(({ from }) => from)}::bigint[]) as place (kind, day, first)`;

const lookedAt = (sql: Queryable, accountId: string) => sql`
  select * from journals
  where account_id = ${accountId} and kind = place.kind and on_date = place.day
    and id >= place.first
  order by id limit ${mostLookedAt}`;

/** Returns true if a place may have more journals than the search reads. */
async function isCrowded(
  sql: Queryable,
  accountId: string,
  places: readonly JournalPlace[],
): Promise<boolean> {
  const rows = await sql`
    select 1 from ${placesIn(sql, places)}
    where (select count(*) from (${lookedAt(sql, accountId)}) as seen) = ${mostLookedAt} limit 1`;
  return rows.length > 0;
}

async function vouchedFor(
  sql: Queryable,
  accountId: string,
  rows: Row[],
): Promise<RequestJournal[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = rows.map(({ id }) => id);
  const named = sql`select ${accountId}::text as account_id, unnest(${ids}::bigint[]) as id`;
  const forged = await forgedAmong(sql, await stampKeys(sql), named);
  // Read before the seals, so that a journal that is sealed concurrently is not reported as
  // missing.
  const waits = await sql<{ id: number }[]>`
    select id from (${journalsWaiting(sql, accountId)}) as waiting where id = any(${ids}::bigint[])`;
  const earliest = rows.reduce(
    (least, { at }) => (Temporal.Instant.compare(at, least) < 0 ? at : least),
    first.at,
  );
  const { found, isWhole } = await sealsOfKeys(
    sql,
    { accountId, kind: stampedJournals.kind },
    ids.map(String),
    earliest.subtract(skew),
  );
  const waiting = new Set(waits.map(({ id }) => id));
  const suspect = new Set(forged.map(({ id }) => id));
  return rows.map((row) => ({
    ...row,
    seal:
      found.get(String(row.id)) ?? (waiting.has(row.id) ? 'waiting' : isWhole ? 'missing' : 'far'),
    isForged: suspect.has(row.id),
  }));
}

/**
 * Finds the journals of a request or its results in some places, by id. `isCut`: the search stopped
 * at a limit.
 */
export async function journalsOfRequest(
  sql: Queryable,
  { accountId, requestId, resultIds }: Of,
  places: readonly JournalPlace[],
): Promise<{ journals: RequestJournal[]; isCut: boolean }> {
  if (places.length === 0) return { journals: [], isCut: false };
  const rows = await sql<Row[]>`
    select distinct on (own.id) own.* from ${placesIn(sql, places)}
    cross join lateral (
      select id, kind, result_id, request_id, cause, at, on_date, accounts, amounts
      from (${lookedAt(sql, accountId)}) as seen
      where request_id = ${requestId}::bigint or result_id = any(${[...resultIds]}::bigint[])
    ) as own
    order by own.id limit ${mostReturned + 1}`;
  return {
    journals: await vouchedFor(sql, accountId, rows.slice(0, mostReturned)),
    isCut: rows.length > mostReturned || (await isCrowded(sql, accountId, places)),
  };
}
