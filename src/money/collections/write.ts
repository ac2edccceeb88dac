import { itemAt } from '../../kernel/lists.ts';
import { type Actor, actorText } from '../../platform/actor.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lockRequests, noteOnRequests, statesText, type Transition } from '../../requests/index.ts';
import {
  arrayText,
  type Entry,
  type JournalKind,
  postJournals,
  stampJournals,
} from '../ledger/index.ts';
import type { Withholding } from '../withholdings/index.ts';
import { stampedResults } from './evidence.ts';
import type { ResultRow } from './result.ts';

export interface ResultEvent {
  id: number;
  /** The type of event, such as `paid`. */
  what: string;
  actor: Actor;
  data: Record<string, unknown>;
}

/** A result with all its consequences, written as a whole. A known result writes nothing. */
export interface ResultWrite {
  row: ResultRow;
  withholdings: Withholding[];
  /** Null if no money moves. */
  journal: { id: number; kind: JournalKind; entry: Entry } | null;
  event: ResultEvent;
  /** The request's transition, made if its current state allows it. */
  move: Transition | null;
  /** The attempt that this result ends. */
  attemptId: number | null;
  /** Changes to the payment that a chargeback or refund reverses. */
  back: { refunded: number; chargedBack: number; refunding: number; unreleased: number } | null;
}

/** Batches of at least this size come from files and share most columns: one source, one day. */
const fewestShared = 100;

const facts = (sql: Queryable, writes: ResultWrite[], stamps: Stamps) => {
  const column = columnsOf(sql, writes, fewestShared);
  return sql`
    select * from unnest(
      ${column('text', ({ row }) => row.account_id)}, ${column('bigint', ({ row }) => row.id)},
      ${column('bigint', ({ row }) => row.request_id)}, ${column('text', ({ row }) => row.kind)},
      ${column('text', ({ row }) => row.type)}, ${column('text', ({ row }) => row.channel)},
      ${column('text', ({ row }) => row.channel_label)}, ${column('bigint', ({ row }) => row.amount)},
      ${column('bigint', ({ row }) => row.net_fee)}, ${column('bigint', ({ row }) => row.fee_iva)},
      ${column('bigint', ({ row }) => row.withheld)}, ${column('bigint', ({ row }) => row.unreleased)},
      ${column('timestamptz', ({ row }) => row.paid_at)},
      ${column('timestamptz', ({ row }) => row.informed_at)},
      ${column('date', ({ row }) => row.informed_on)}, ${column('date', ({ row }) => row.available_on)},
      ${column('bigint', ({ row }) => row.reverses_id)}, ${column('text', ({ row }) => row.source)},
      ${column('text', ({ row }) => row.source_ref)}, ${column('text', ({ row }) => row.reference)},
      ${column('text', ({ row }) => row.payer)}, ${column('text', ({ row }) => row.description)},
      ${column('text', ({ row }) => JSON.stringify(row.details))},
      ${column('bigint', (write) => write.journal?.id ?? null)},
      ${column('text', (write) => write.journal?.kind ?? null)},
      ${column('text', (write) => arrayText(write.journal?.entry.accounts ?? []))},
      ${column('text', (write) => arrayText(write.journal?.entry.amounts ?? []))},
      ${column('bytea', (write) => (write.journal && stamps.journals.get(write.journal.id)) ?? null)},
      ${column('bytea', ({ row }) => stamps.results.get(row.id) ?? null)},
      ${column('bigint', (write) => write.event.id)},
      ${column('text', (write) => write.event.what)},
      ${column('text', (write) => actorText(write.event.actor))},
      ${column('text', (write) => JSON.stringify(write.event.data))},
      ${column('text', ({ move }) => move?.to ?? null)},
      ${column('text', ({ move }) => move && statesText(move))},
      ${column('text', ({ row }) => row.details.state_comment ?? null)},
      ${column('bigint', (write) => write.attemptId)},
      ${column('bigint', (write) => write.back?.refunded ?? 0)},
      ${column('bigint', (write) => write.back?.chargedBack ?? 0)},
      ${column('bigint', (write) => write.back?.refunding ?? 0)},
      ${column('bigint', (write) => write.back?.unreleased ?? 0)}
    ) with ordinality as fact (account_id, id, request_id, kind, type, channel, channel_label,
      amount, net_fee, fee_iva, withheld, unreleased, paid_at, informed_at, informed_on,
      available_on, reverses_id, source, source_ref, reference, payer, description, details,
      journal_id, journal_kind, accounts, amounts, stamp, own_stamp, event_id, what, actor, data, move_to, move_from,
      comment, attempt_id, back_refunded, back_charged_back, back_refunding,
      back_unreleased, no)`;
};

const withheldLines = (sql: Queryable, writes: ResultWrite[]) => {
  const lines = writes.flatMap(({ row, withholdings }) =>
    withholdings.map((line, index) => ({ row, line, no: index + 1 })),
  );
  return sql`
    select * from unnest(
      ${lines.map(({ row }) => row.account_id)}::text[], ${lines.map(({ row }) => row.id)}::bigint[],
      ${lines.map(({ no }) => no)}::smallint[], ${lines.map(({ row }) => row.request_id)}::bigint[],
      ${lines.map(({ line }) => line.regime)}::text[],
      ${lines.map(({ line }) => line.jurisdiction)}::text[],
      ${lines.map(({ line }) => line.base)}::bigint[], ${lines.map(({ line }) => line.ratePpm)}::int[],
      ${lines.map(({ line }) => line.amount)}::bigint[],
      ${lines.map(({ row, no }) => `${row.account_id}-${row.id}-${no}`)}::text[],
      ${lines.map(({ row }) => row.informed_on)}::date[]
    ) as line (account_id, result_id, no, request_id, regime, jurisdiction, base, rate_ppm, amount,
      certificate, informed_on)`;
};

/**
 * Updates the payments that these results reverse, which are never results of the same statement.
 * `needs` decides whether the statement includes this part.
 */
const reversed = (sql: Queryable, accountIds: string[]) => sql`
    reversed as (
      update results o /* sees what was written */ set refunded = o.refunded + kept.back_refunded,
        charged_back = o.charged_back + kept.back_charged_back,
        refunding = o.refunding - kept.back_refunding,
        unreleased = o.unreleased - kept.back_unreleased
      from kept where kept.reverses_id is not null and o.account_id = any(${accountIds}::text[])
        and o.account_id = kept.account_id and o.id = kept.reverses_id
    ),`;

const closed = (sql: Queryable, accountIds: string[]) => sql`
    closed as (
      update attempts a set state = 'done' from fact
      where fact.attempt_id is not null and a.account_id = any(${accountIds}::text[])
        and a.account_id = fact.account_id and a.id = fact.attempt_id
    ),`;

/**
 * Returns true if the statement needs a part. A single server always runs one text with all parts.
 * On several nodes, each idle part would cost a command.
 */
const needs = (
  { layout }: Queryable,
  writes: ResultWrite[],
  asks: (write: ResultWrite) => boolean,
): boolean => !layout.isDistributed || writes.some(asks);

/** Stamps, by journal and result id. */
interface Stamps {
  journals: Map<number, Buffer>;
  results: Map<number, Buffer>;
}

async function stampsOf(sql: Queryable, writes: ResultWrite[]): Promise<Stamps> {
  const contents = writes.flatMap(({ row, journal }) =>
    journal === null
      ? []
      : {
          ...journal,
          accountId: row.account_id,
          resultId: row.id,
          requestId: row.request_id,
          cause: null,
          at: row.informed_at,
        },
  );
  const rows = writes.map(({ row }) => row);
  const ofJournals = await stampJournals(sql, contents);
  const ofResults = await stampedResults.stamps(sql, rows);
  return {
    journals: new Map(contents.map(({ id }, index) => [id, itemAt(ofJournals, index)])),
    results: new Map(rows.map(({ id }, index) => [id, itemAt(ofResults, index)])),
  };
}

/**
 * Writes results in one statement and one commit: rows, withholdings, journals, balance deltas,
 * events, states of requests, ends of attempts. Skips results whose source is known. Returns the
 * new ids. Locks requests first, in order, so that two statements over the same requests queue up
 * instead of deadlocking, and takes versions under the lock.
 */
export async function writeResults(sql: Queryable, writes: ResultWrite[]): Promise<Set<number>> {
  if (writes.length === 0) return new Set();
  const accountIds = [...new Set(writes.map(({ row }) => row.account_id))];
  const stamps = await stampsOf(sql, writes);
  const rows = await sql<{ id: number }[]>`
    with fact as materialized (${facts(sql, writes, stamps)}),
    ${lockRequests(sql, 'fact', accountIds)},
    result as (
      insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
        net_fee, fee_iva, withheld, unreleased, paid_at, informed_at, informed_on, available_on,
        reverses_id, source, source_ref, reference, payer, description, details, stamp)
      select account_id, id, request_id, kind, type, channel, channel_label, amount, net_fee,
        fee_iva, withheld, unreleased, paid_at, informed_at, informed_on, available_on, reverses_id,
        source, source_ref, reference, payer, description, details::json, own_stamp
      from fact join held_requests using (account_id, request_id)
      order by account_id, source, source_ref
      on conflict (account_id, source, source_ref) do nothing
      returning account_id, id
    ),
    kept as (
      select fact.*, informed_at as at, type = 'collected' as is_money
      from fact join result using (account_id, id)
    ),
    ${needs(sql, writes, ({ back }) => back !== null) ? reversed(sql, accountIds) : sql``}
    withheld_line as (
      insert into withholdings (account_id, result_id, no, request_id, regime, jurisdiction, base,
        rate_ppm, amount, certificate, informed_on)
      select line.* from (${withheldLines(sql, writes)}) as line
      join result on result.account_id = line.account_id and result.id = line.result_id
    ),
    ${needs(sql, writes, ({ attemptId }) => attemptId !== null) ? closed(sql, accountIds) : sql``}
    ${noteOnRequests(sql, 'kept', accountIds, 'held_requests')},
    new_journals as (
      select account_id, journal_id as id, journal_kind as kind, id as result_id, request_id,
        null::text as cause, informed_at as at, informed_on as on_date, accounts, amounts, stamp
      from kept where journal_id is not null
    ),
    ${postJournals(sql, 'new_journals')}
    select id from result`;
  return new Set(rows.map((row) => row.id));
}
