import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sql, Transaction } from '../../src/platform/postgres/connect.ts';
import type { RequestRow } from '../../src/requests/index.ts';
import { Void } from '../cases/case.ts';
import { eventDataOf, type Row } from './rows.ts';

const atOnce = 20_000;

/** Ids that are not in all of the lists. */
export function lacking(ids: readonly number[], ...lists: readonly number[][]): number[] {
  const sets = lists.map((list) => new Set(list));
  return ids.filter((id) => !sets.every((set) => set.has(id)));
}

/** Every acknowledged id must be there once, with its event; otherwise the run is void. */
export async function checkAcknowledged(sql: Sql, accountId: string, ids: number[]): Promise<void> {
  if (new Set(ids).size !== ids.length) throw new Void('An id was acknowledged twice.');
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce);
    // Two plain look-ups: a join of both tables before they have statistics can take minutes.
    const [requests, events] = await Promise.all([
      sql<{ id: number }[]>`
        select id from requests
        where account_id = ${accountId} and kind = 'payment_request' and id = any(${some}::bigint[])`,
      sql<{ id: number }[]>`
        select entity_id::bigint as id from events
        where account_id = ${accountId} and entity = 'payment_request' and version = 1
          and entity_id = any(${some.map(String)}::text[]) and type = 'payment_request.created'`,
    ]);
    const missing = lacking(
      some,
      requests.map(({ id }) => id),
      events.map(({ id }) => id),
    );
    if (missing.length > 0) {
      throw new Void(
        `${missing.length} acknowledged ids are not in the database, such as ${missing[0]}.`,
      );
    }
  }
}

type Sequence = 'request_ids' | 'record_ids';

/** Takes so many ids in a row from a sequence that counts by the thousand; answers the first. */
export async function reserveIds(sql: Sql, sequence: Sequence, count: number): Promise<number> {
  const [row] = await sql<{ first: number }[]>`
    select nextval(${sequence}::text::regclass) as first`;
  const first = row?.first ?? 0;
  const blocks = Math.ceil(count / 1000);
  await sql`select setval(${sequence}::text::regclass, ${first + (blocks - 1) * 1000}::bigint)`;
  return first;
}

const cell = (value: unknown): string =>
  value === null ? '\\N' : String(value).replace(/[\\\t\n\r]/g, (char) => escapes[char] ?? char);
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const line = (cells: unknown[]): string => `${cells.map(cell).join('\t')}\n`;

/** A stored request of any kind. */
export type AnyRow = Omit<RequestRow, 'details'> & { details: object };

/** Text for COPY of requests alone. */
export const requestLines = (rows: AnyRow[]): string[] =>
  rows.map((row) =>
    line([
      row.account_id,
      row.id,
      row.kind,
      row.state,
      row.version,
      row.created_at,
      row.reference,
      row.payer,
      row.description,
      row.due1,
      row.total1,
      row.due2,
      row.total2,
      row.last_due,
      row.code,
      JSON.stringify(row.details),
      // Named, so that the reference is not asked for one a row.
      0,
    ]),
  );

/** Text for COPY: the requests and their events. */
export function copyTexts(rows: Row[], firstEventId: number, actor: string) {
  const requests = requestLines(rows);
  const events = rows.map((row, index) =>
    line([
      row.account_id,
      row.kind,
      row.id,
      row.version,
      firstEventId + index,
      'payment_request.created',
      row.created_at,
      actor,
      JSON.stringify(eventDataOf(row)),
    ]),
  );
  return { requests, events };
}

const chunked = function* (lines: string[]): Generator<string> {
  for (let from = 0; from < lines.length; from += 500) {
    yield lines.slice(from, from + 500).join('');
  }
};

/** (c) Writes requests and events with COPY in one durable transaction. */
export async function copyIn(sql: Sql, texts: ReturnType<typeof copyTexts>): Promise<void> {
  await sql.begin(async (tx: Transaction) => {
    const requests = await tx`
      copy requests (account_id, id, kind, state, version, created_at, reference, payer,
        description, due1, total1, due2, total2, last_due, code, details, place)
      from stdin`.writable();
    await pipeline(Readable.from(chunked(texts.requests)), requests);
    const events = await tx`
      copy events (account_id, entity, entity_id, version, id, type, at, actor, data)
      from stdin`.writable();
    await pipeline(Readable.from(chunked(texts.events)), events);
  });
}

export interface Filled {
  first: number;
  count: number;
}

const fillAtOnce = 100_000;

/**
 * Stores so many requests with their events, made by the server; answers their ids. With `payers`
 * they are asked of so many, one after another, as by the run of each month.
 */
export async function fill(sql: Sql, like: Row, count: number, payers = 1): Promise<Filled> {
  const first = await reserveIds(sql, 'request_ids', count);
  const firstEvent = await reserveIds(sql, 'record_ids', count);
  for (let from = 0; from < count; from += fillAtOnce) {
    const to = Math.min(from + fillAtOnce, count) - 1;
    await sql`
      with created as (
        insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
          description, due1, total1, due2, total2, last_due, code, details, place)
        select ${like.account_id}, ${first}::bigint + no, ${like.kind}, ${like.state}, 1,
          ${like.created_at}::timestamptz, 'contract-' || no,
          ${like.payer} || case when ${payers} > 1 then (no % ${payers}::bigint)::text else '' end,
          ${like.description},
          ${like.due1}::date, ${like.total1}::bigint, ${like.due2}::date, ${like.total2}::bigint,
          ${like.last_due}::date, null, ${JSON.stringify(like.details)}::text::json,
          (select take_place('requests', array[${like.account_id}]))
        from generate_series(${from}::bigint, ${to}::bigint) as no
        returning account_id, id, kind, state, last_due, place
      ),
      states as (
        insert into request_states (account_id, id, kind, state, last_due, place) select * from created
      )
      insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
      select ${like.account_id}, ${like.kind}, (${first}::bigint + no)::text, 1,
        ${firstEvent}::bigint + no, 'payment_request.created', ${like.created_at}::timestamptz,
        'system', ${JSON.stringify(eventDataOf(like))}::text::json
      from generate_series(${from}::bigint, ${to}::bigint) as no`;
  }
  return { first, count };
}
