import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { countUpTo } from '../platform/postgres/count.ts';
import { withinReach } from '../platform/postgres/distributed/owners.ts';
import { allOf } from '../platform/postgres/lists.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import type { EventName, EventType } from './types.ts';

// Fragments of the feed, which lists events by position.

type Fragment = ReturnType<Queryable>;

/** Maximum number of events that get their positions at once. */
export const placedAtOnce = 1_000;

/** A position in the outbox. */
export interface Place {
  accountId: string;
  entity: string;
  entityId: string;
  version: number;
}

/** Newly positioned events: their accounts, their positions, and the outbox's cursor after them. */
export interface Placed {
  accounts: string[];
  first: number;
  last: number;
  count: number;
  end: Place;
}

interface PlacedRow extends Pick<FeedRow, 'entity' | 'entity_id' | 'version' | 'position'> {
  account_id: string;
}

/** Summarizes placed rows, which are in order of position. Returns null without rows. */
const placedOf = (rows: PlacedRow[]): Placed | null => {
  const [first] = rows;
  const end = rows.at(-1);
  if (!first || !end) return null;
  return {
    accounts: [...new Set(rows.map((row) => row.account_id))],
    first: first.position,
    last: end.position,
    count: rows.length,
    end: {
      accountId: end.account_id,
      entity: end.entity,
      entityId: end.entity_id,
      version: end.version,
    },
  };
};

/**
 * Takes the next rows of one server's outbox, which are in order per entity, assigns positions in
 * that order, and deletes the rows. Call it from one process at a time, so that positions become
 * visible in order, and on a settled timeline, so that none repeats. Finds rows by their full key
 * and writes them by ctid, because without statistics a join on part of the key looks cheap but is
 * far more expensive.
 */
export async function placeEvents(tx: Transaction, after: Place): Promise<Placed | null> {
  return placedOf(
    await tx<PlacedRow[]>`
      with picked as materialized (
        select ctid as row, account_id, entity, entity_id, version from outbox
        where (account_id, entity, entity_id, version)
          > (${after.accountId}, ${after.entity}, ${after.entityId}, ${after.version}::int)
        order by account_id, entity, entity_id, version limit ${placedAtOnce}
      ),
      placed as materialized (select picked.*, nextval('event_positions') as position from picked),
      removed as (
        delete from outbox where ctid = any(array(select row from placed))
      ),
      positioned as (
        update events e set position = p.position
        from (
          select placed.position, found.row from placed cross join lateral (
            select f.ctid as row from events f
            where f.account_id = placed.account_id and f.entity = placed.entity
              and f.entity_id = placed.entity_id and f.version = placed.version offset 0
          ) as found
        ) as p
        where e.ctid = p.row
      )
      select account_id, entity, entity_id, version, position from placed order by position`,
  );
}

/**
 * Places the events of one account, whose rows are on one node. Commits there alone, so that an
 * unreachable node leaves nothing prepared on another. A concurrent second call finds nothing.
 * Needs a settled timeline too.
 */
export async function placeEventsOf(tx: Transaction, accountId: string): Promise<Placed | null> {
  const rows = await tx<PlacedRow[]>`
    select account_id, entity, entity_id, version from outbox where account_id = ${accountId}
    order by entity, entity_id, version limit ${placedAtOnce} for update`;
  if (rows.length === 0) return null;
  // The coordinator's sequence serves all nodes.
  const positions = await tx<{ position: number }[]>`
    select nextval('event_positions') as position from generate_series(1, ${rows.length}::int)
    order by position`;
  const placed = rows.map((row, index) => ({ ...row, position: positions[index]?.position ?? 0 }));
  const relation = tx`
    ${recordset(tx, 'p (entity text, entity_id text, version int, position bigint)', placed)}`;
  await tx`
    delete from outbox o using ${relation} where o.account_id = ${accountId}
      and o.entity = p.entity and o.entity_id = p.entity_id and o.version = p.version`;
  await tx`
    update events e set position = p.position from ${relation} where e.account_id = ${accountId}
      and e.entity = p.entity and e.entity_id = p.entity_id and e.version = p.version`;
  return placedOf(placed);
}

/** Returns accounts with events that await positions, unordered, up to a limit. */
export async function waitingAccounts(sql: Queryable, most: number): Promise<string[]> {
  const rows = await sql<{ account_id: string }[]>`
    select account_id from outbox where true ${withinReach(sql)} group by account_id limit ${most}`;
  return rows.map(({ account_id: accountId }) => accountId);
}

/**
 * Returns true if events wait for their positions. Unordered, because the index still has entries
 * of removed rows while a long statement elsewhere may need them.
 */
export async function eventsWait(sql: Queryable): Promise<boolean> {
  const waiting = await sql`select 1 from outbox limit 1`;
  return waiting.length > 0;
}

/** Counts events that wait for their positions, up to `most`. */
export const countOutbox = (sql: Queryable, most: number): Promise<number> =>
  countUpTo(sql, most, sql`select 1 from outbox`);

/** Selects the newly positioned events, as `e`. */
export const placedEvents = (sql: Queryable, { accounts, first, last }: Placed): Fragment => sql`
  (select * from events where account_id = any(${accounts}::text[])
    and position between ${first}::bigint and ${last}::bigint) as e`;

/** Selects one event of the feed by its id, as `e`. */
export const eventOfFeed = (sql: Queryable, accountId: string, id: number): Fragment => sql`
  (select * from events
    where account_id = ${accountId} and id = ${id} and position is not null) as e`;

/** Looks up the event that each row names by its key. */
export const lookUpEvents = (sql: Queryable, of: string, accountId: string): Fragment => sql`
  cross join lateral (
    select e.type, e.at, e.data from events e
    where e.account_id = ${accountId} and e.entity = ${sql(of)}.entity
      and e.entity_id = ${sql(of)}.entity_id and e.version = ${sql(of)}.version offset 0
  ) as event`;

/** Looks up the event of the feed that each row names by its `event_id`. */
export const lookUpEventsById = (sql: Queryable, of: string, accountId: string): Fragment => sql`
  cross join lateral (
    select e.entity, e.entity_id, e.version, e.type from events e
    where e.account_id = ${accountId} and e.id = ${sql(of)}.event_id and e.position is not null
    offset 0
  ) as event`;

export interface FeedRow {
  id: number;
  position: number;
  entity: string;
  entity_id: string;
  version: number;
  type: string;
  at: Temporal.Instant;
  data: Record<string, unknown>;
}

/** Filters of the feed. Null is unfiltered. */
export interface FeedFilters {
  type: EventType | null;
  entity_name: string | null;
  entity_id: string | null;
  from: Temporal.Instant | null;
  before: Temporal.Instant | null;
}

/**
 * Returns the events after a position, and the account's last position in the same snapshot. One
 * publisher at a time assigns positions, so nothing appears before events already read.
 */
export async function readFeed(
  sql: Queryable,
  accountId: string,
  filters: FeedFilters,
  page: { after: number; limit: number },
): Promise<{ rows: FeedRow[]; last: number }> {
  const f = filters;
  const where = allOf(sql, sql`account_id = ${accountId} and position > ${page.after}`, [
    f.type === null ? null : sql`type = ${f.type.name}`,
    f.entity_name === null ? null : sql`entity = ${f.entity_name}`,
    f.entity_id === null ? null : sql`entity_id = ${f.entity_id}`,
    f.from === null ? null : sql`at >= ${f.from}::timestamptz`,
    f.before === null ? null : sql`at < ${f.before}::timestamptz`,
  ]);
  const rows = await sql<(FeedRow & { last: number })[]>`
    select feed.last, page.* from (
      select coalesce(max(position), 0) as last from events
      where account_id = ${accountId} and position is not null
    ) as feed
    left join (
      select id, position, entity, entity_id, version, type, at, data from events
      where ${where} order by position limit ${page.limit}
    ) as page on true
    order by page.position`;
  return {
    rows: rows.filter((row) => row.id !== null),
    last: rows[0]?.last ?? 0,
  };
}

export async function readEvent(
  sql: Queryable,
  accountId: string,
  id: number,
): Promise<FeedRow | null> {
  const [row] = await sql<FeedRow[]>`
    select id, position, entity, entity_id, version, type, at, data
    from ${eventOfFeed(sql, accountId, id)}`;
  return row ?? null;
}

/** Selects the last position of an account's feed. */
export const lastDelivered = (sql: Queryable, accountId: string): Fragment => sql`
  coalesce((
    select e.position from events e where e.account_id = ${accountId} and e.position is not null
    order by e.position desc limit 1
  ), 0)`;

/** Returns the last position of an account's feed, or 0 if it is empty. */
export async function lastPosition(sql: Queryable, accountId: string): Promise<number> {
  const [row] = await sql<
    { position: number }[]
  >`select ${lastDelivered(sql, accountId)} as position`;
  return row?.position ?? 0;
}

const mostResults = 10_000;

/**
 * Returns the ids of results in events of a type, after one position and up to another. Returns at
 * most 10,000.
 */
export async function resultsInFeed(
  sql: Queryable,
  accountId: string,
  type: EventName,
  { after, until }: { after: number; until: number },
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select (data->>'request_result_id')::bigint as id from events
    where account_id = ${accountId} and position > ${after}::bigint
      and position <= ${until}::bigint and type = ${type}
      and data->>'request_result_id' is not null
    order by position limit ${mostResults}`;
  return rows.map(({ id }) => id);
}

/** Counts events by type, after one position of the feed and up to another. */
export async function countFeed(
  sql: Queryable,
  accountId: string,
  types: readonly EventName[],
  { after, until }: { after: number; until: number },
): Promise<Map<string, number>> {
  const rows = await sql<{ type: string; count: number }[]>`
    select type, count(*)::int as count from events
    where account_id = ${accountId} and position > ${after}::bigint
      and position <= ${until}::bigint and type = any(${[...types]}::text[])
    group by type`;
  return new Map(rows.map(({ type, count }) => [type, count]));
}
