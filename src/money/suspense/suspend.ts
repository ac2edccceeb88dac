import { operatorBooks } from '../../accounts/index.ts';
import { writeEvents } from '../../events/index.ts';
import { dayOf } from '../../kernel/dates.ts';
import { itemAt } from '../../kernel/lists.ts';
import { type Centavos, toJsonNumber } from '../../kernel/money.ts';
import { actorText, system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { type ChannelCode, channels } from '../channels/index.ts';
import {
  arrayText,
  type Entry,
  entry,
  ledgerAccounts,
  onOpenDay,
  postJournals,
  stampJournals,
} from '../ledger/index.ts';
import { stampedSuspense } from './evidence.ts';

/** Why no request matches. */
export type SuspenseReason = 'unreadable_code' | 'unknown_request';

/** Money that no known request claims. */
export interface UnmatchedMoney {
  reason: SuspenseReason;
  channel: ChannelCode;
  /** Display name of the network. */
  label: string;
  /** The unmatched barcode or payment code, as received. */
  code: string;
  amount: Centavos;
  paidAt: Temporal.Instant;
  /** Source of the fact, and its id there. Money is booked once. */
  source: string;
  sourceRef: string;
}

export type SuspendOutcome = 'suspended' | 'known';

export type Suspend = (money: UnmatchedMoney[]) => Promise<SuspendOutcome[]>;

interface Ids {
  own: number;
  journal: number;
  event: number;
}

const entryOf = ({ channel, amount }: UnmatchedMoney): Entry =>
  entry([
    [channels[channel].clearing, amount],
    [ledgerAccounts.suspense, -amount],
  ]);

/** Unmatched money with row ids, and stamps of rows and journals. */
interface Numbered {
  money: UnmatchedMoney[];
  ids: Ids[];
  stamps: Buffer[];
  own: Buffer[];
}

const ownStampsOf = (
  sql: Queryable,
  { money, ids }: Pick<Numbered, 'money' | 'ids'>,
  at: Temporal.Instant,
): Promise<Buffer[]> =>
  stampedSuspense.stamps(
    sql,
    money.map(({ channel, amount, source, sourceRef }, index) => ({
      account_id: operatorBooks,
      id: itemAt(ids, index).own,
      channel,
      amount,
      source,
      source_ref: sourceRef,
      informed_at: at,
    })),
  );

const stampsOf = (
  sql: Queryable,
  { money, ids }: Pick<Numbered, 'money' | 'ids'>,
  at: Temporal.Instant,
): Promise<Buffer[]> =>
  stampJournals(
    sql,
    money.map((one, index) => {
      const { own, journal } = itemAt(ids, index);
      return {
        accountId: operatorBooks,
        id: journal,
        kind: 'suspense',
        resultId: null,
        requestId: null,
        cause: `suspense:${own}`,
        at,
        entry: entryOf(one),
      };
    }),
  );

const suspended = (sql: Queryable, { money, ids, stamps, own }: Numbered) => {
  const rows = money.map((one, index) => {
    const { accounts, amounts } = entryOf(one);
    const { own: id, journal, event } = itemAt(ids, index);
    return {
      ...one,
      id,
      journal_id: journal,
      event_id: event,
      channel_label: one.label,
      accounts: arrayText(accounts),
      amounts: arrayText(amounts),
      data: JSON.stringify({ reason: one.reason, amount: toJsonNumber(one.amount) }),
      stamp: itemAt(stamps, index),
      own_stamp: itemAt(own, index),
    };
  });
  const shape = `money (id bigint, journal_id bigint, event_id bigint, reason text, channel text,
    channel_label text, code text, amount bigint, paid_at timestamptz, source text, source_ref text,
    accounts text, amounts text, data text, stamp bytea, own_stamp bytea)`;
  return sql`select * from ${recordset(sql, shape, rows)}`;
};

/**
 * Books unmatched money in the operator's books: the channel's clearing account against suspense,
 * with an event, in one statement. Repeated money is `known` and changes nothing.
 */
export const suspend =
  (base: Base): Suspend =>
  async (money) =>
    money.length === 0 ? [] : await onOpenDay(() => suspendNow(base, money));

async function suspendNow(
  { sql, clocks, recordIds }: Base,
  money: UnmatchedMoney[],
): ReturnType<Suspend> {
  const taken = await recordIds.take(money.length * 3);
  const ids = money.map((_one, index) => {
    const [own, journal, event] = taken.slice(index * 3, index * 3 + 3);
    if (own === undefined || journal === undefined || event === undefined) {
      throw new Error('an id block ran short');
    }
    return { own, journal, event };
  });
  const now = clocks.business.now();
  const stamps = await stampsOf(sql, { money, ids }, now);
  const own = await ownStampsOf(sql, { money, ids }, now);
  const rows = await sql<{ id: number }[]>`
      with money as materialized (${suspended(sql, { money, ids, stamps, own })}),
      kept_row as (
        insert into suspense (account_id, id, state, reason, channel, channel_label, code, amount,
          paid_at, source, source_ref, informed_at, stamp)
        select ${operatorBooks}, id, 'open', reason, channel, channel_label, code, amount, paid_at,
          source, source_ref, ${now}::timestamptz, own_stamp
        from money order by source, source_ref
        on conflict (account_id, source, source_ref) do nothing
        returning id
      ),
      kept as (
        select ${operatorBooks}::text as account_id, money.*, ${now}::timestamptz as at
        from money join kept_row using (id)
      ),
      new_events as (
        select account_id, 'suspense' as entity, id::text as entity_id, 1 as version,
          event_id as id, 'suspense.opened' as type, at, ${actorText(system)} as actor, data
        from kept
      ),
      ${writeEvents(sql, 'new_events')},
      new_journals as (
        select account_id, journal_id as id, 'suspense' as kind, null::bigint as result_id,
          null::bigint as request_id, 'suspense:' || id as cause, at,
          ${dayOf(now)}::date as on_date, accounts, amounts, stamp
        from kept
      ),
      ${postJournals(sql, 'new_journals')}
      select id from kept_row`;
  const fresh = new Set(rows.map((row) => row.id));
  return ids.map(({ own }) => (fresh.has(own) ? 'suspended' : 'known'));
}
