import { compareDays, dayOf, midnightOf } from '../../kernel/dates.ts';
import { lockStoredCard, noteNetworkId } from '../../mandates/index.ts';
import { raiseMoneyAlarm } from '../../money/alarms/index.ts';
import type { Channels } from '../../money/channels/index.ts';
import { type Attempts, attemptsDone, type BegunDebit } from '../../money/charges/index.ts';
import { resultFrom } from '../../money/collections/index.ts';
import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { eachForAWhile } from '../../platform/slots.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { lockRequest } from '../../requests/index.ts';
import type { DebitRun } from '../debit.ts';
import { endRuns, readRuns, type SubmittedRun } from './runs.ts';
import type { SettleRuns } from './settle.ts';

// Runs on cards stored by a connector are charged on their day as ordinary attempts, so that
// inquiries, reports and refunds work the same.

interface DueRow extends Pick<DebitRun, 'account_id' | 'request_id' | 'no'> {
  attempt_id: number | null;
  /** True if its attempt has a result. */
  is_told: boolean;
  /** Number of charges ordered. */
  orders: number;
  /** Day of the first attempt, or of a failure before it. The debit is charged on no later day. */
  tried_on: Temporal.PlainDate | null;
  /** The network's id of the charge, or null. */
  network_id: string | null;
}

export interface ChargeParts {
  attempts: Pick<Attempts, 'beginDebit' | 'chargeDebit'>;
  connected: Channels;
  settle: SettleRuns;
  /** Maximum number of charges under way, below what each connector accepts. */
  atOnce: number;
}

/** Maximum number of runs to read per sweep. */
const batch = 200;
/** After this time no more charges begin, so that other sweeps run before the next ones. */
const beginsWithinMs = 10_000;
/**
 * Maximum number of charge orders per run. An acquirer may lose an order and still take the money,
 * so each repetition may collect a payment that must be returned.
 */
const mostOrders = 2;
const againAfter = { hours: 1 };

/**
 * Returns when a failed run is tried again: in an hour, or in a minute if it has no attempt yet and
 * its day ends before that.
 */
const retryOf = ({ attempt_id: attemptId }: DueRow, now: Temporal.Instant): Temporal.Instant => {
  const next = now.add(againAfter);
  const dayEnds = compareDays(dayOf(next), dayOf(now)) > 0;
  return attemptId === null && dayEnds ? now.add({ minutes: 1 }) : next;
};

/** Why a debit ended without the acquirer's answer. */
interface NotCharged {
  code: 'unheard' | 'unreachable' | 'card_gone' | 'card_closed';
  text: string;
}
const unconfirmed: NotCharged = {
  code: 'unheard',
  text: 'The acquirer confirmed no charge of the card.',
};
const unreachable: NotCharged = {
  code: 'unreachable',
  text: 'The acquirer could not be reached on the day of the debit.',
};
const cardGone: NotCharged = { code: 'card_gone', text: 'The card is not on file any more.' };
const cardClosed = (reason: string): NotCharged => ({
  code: 'card_closed',
  text: `The card on file is closed. ${reason}`.trim(),
});

const keyOf = ({ account_id: accountId, request_id: requestId, no: runNo }: DueRow) => ({
  accountId,
  requestId,
  runNo,
});

/**
 * Selects runs to charge, and those whose attempt ended. The attempts' sweep inquires about open
 * ones.
 */
const dueRuns = (sql: Queryable) => sql`
  (select d.account_id, d.request_id, d.no, d.attempt_id, result.id is not null as is_told,
    d.orders, d.tried_on,
    result.details->'payment_metadata'->>'network_transaction_id' as network_id,
    d.look_at, d.run_on
  from debit_runs d
  left join ${attemptsDone(sql)} on attempt.account_id = d.account_id and attempt.id = d.attempt_id
  left join ${resultFrom(sql, { of: 'd', sources: ['attempt'], ref: sql`d.attempt_id::text` })}
  where d.charged and d.state = 'submitted' and (d.attempt_id is null or attempt.id is not null)
  ) as due`;

const readDue = (sql: Queryable, where: ReturnType<Queryable>): Promise<DueRow[]> => sql<DueRow[]>`
  select account_id, request_id, no, attempt_id, is_told, orders, tried_on,
    network_id
  from ${dueRuns(sql)} where ${where}
  order by account_id, request_id, no limit ${batch}`;

/**
 * Builds the ways to end a run's attempt: by its result, by a rejection without one, or by a retry.
 */
function endingsOf(base: Base, settle: SettleRuns) {
  const { sql, clocks, log } = base;

  /**
   * Rejects a debit. A later approval still pays it. Raises an alarm first if a charge was ordered
   * or no connector was reachable, because the acquirer may have taken the money.
   */
  const giveUp = async (
    row: DueRow,
    { run, request }: SubmittedRun,
    why: NotCharged,
  ): Promise<void> => {
    if (request.state !== 'in_process') return await endRuns(sql, [run]);
    const { account_id: accountId, request_id: requestId, attempt_id: attemptId } = row;
    if (row.orders > 0 || why.code === 'unreachable') {
      await raiseMoneyAlarm(base, {
        kind: 'debit_not_charged',
        fact: `debit ${accountId}-${requestId}`,
        message: `Debit ${requestId} was ordered ${row.orders} times. ${why.text}`,
        amount: run.amount,
        accountId,
        requestId,
        ...(attemptId !== null && { attemptId }),
      });
    }
    const outcome = { type: 'rejected', at: clocks.business.now(), ...why } as const;
    await settle([{ ...keyOf(row), outcome, actor: system, label: 'Tarjeta' }]);
  };

  const giveUpUnconfirmed = (row: DueRow, found: SubmittedRun): Promise<void> =>
    giveUp(row, found, row.orders > 0 ? unconfirmed : unreachable);

  /**
   * Retries in an hour. Rejects the debit after the last order, or if that would be on another day.
   */
  const tryLater = async (row: DueRow, found: SubmittedRun): Promise<void> => {
    const next = clocks.business.now().add(againAfter);
    const day = row.tried_on ?? clocks.business.today();
    if (row.orders >= mostOrders || compareDays(dayOf(next), day) > 0) {
      return await giveUpUnconfirmed(row, found);
    }
    await sql`
      update debit_runs set attempt_id = null, look_at = ${next}::timestamptz,
        orders = ${row.orders}, tried_on = ${day}::date
      where account_id = ${row.account_id} and request_id = ${row.request_id} and no = ${row.no}
        and state = 'submitted' and attempt_id is not distinct from ${row.attempt_id}::bigint`;
  };

  /**
   * Postpones a run that failed, so that runs that always fail do not keep others from being read.
   * Records the day, because a debit whose day is over must not be charged.
   */
  const postpone = async (row: DueRow, error: unknown): Promise<void> => {
    log.error({ err: error, request: row.request_id }, 'a debit could not be charged');
    await sql`
      update debit_runs set look_at = ${retryOf(row, clocks.business.now())}::timestamptz,
        tried_on = coalesce(tried_on, ${clocks.business.today()}::date)
      where account_id = ${row.account_id} and request_id = ${row.request_id} and no = ${row.no}
        and state = 'submitted' and attempt_id is not distinct from ${row.attempt_id}::bigint`;
  };

  /**
   * Ends the run of an attempt with a result. Retries an attempt that never reached the acquirer.
   */
  const finish = async (row: DueRow, found: SubmittedRun): Promise<void> => {
    if (!row.is_told) return await tryLater(row, found);
    const { account_id, network_id: networkId } = row;
    const { mandate_id } = found.request;
    if (networkId !== null && mandate_id !== null) {
      await noteNetworkId(sql, { account_id, mandate_id }, networkId);
    }
    await endRuns(sql, [found.run]);
  };

  return { giveUp, giveUpUnconfirmed, tryLater, postpone, finish };
}

export function chargeSweep(
  base: Base,
  { attempts, connected, settle, atOnce }: ChargeParts,
): Sweep {
  const { sql, clocks, recordIds, log } = base;
  const { giveUp, giveUpUnconfirmed, tryLater, postpone, finish } = endingsOf(base, settle);

  /**
   * Assigns an attempt to the run, in the transaction that stores the attempt. Returns null if the
   * run is decided or another process began it, a reason if its card cannot be charged, and `away`
   * if its connector is not configured.
   */
  const store = async (
    tx: Queryable,
    row: DueRow,
    { request, run }: SubmittedRun,
    id: number,
  ): Promise<BegunDebit | NotCharged | 'away' | null> => {
    // An earlier charge may have been approved after all, so do not charge again.
    const locked = await lockRequest(tx, { accountId: row.account_id, id: row.request_id });
    if (locked?.state !== 'in_process') {
      await endRuns(tx, [run]);
      return null;
    }
    const ofRun = tx`
      account_id = ${row.account_id} and request_id = ${row.request_id} and no = ${row.no}`;
    // Another process may have begun the run, so do not touch its card.
    const free = await tx`
      select 1 from debit_runs
      where ${ofRun} and state = 'submitted' and attempt_id is null and orders = ${row.orders}
      for update`;
    if (free.length === 0) return null;
    const lockedCard = await lockStoredCard(tx, {
      account_id: row.account_id,
      mandate_id: request.mandate_id,
    });
    if (!lockedCard) return cardGone;
    const { card, closed, connector } = lockedCard;
    if (closed !== null) return cardClosed(closed);
    const channel = connected.named(connector);
    if (!channel) {
      log.error({ connector }, 'a card is stored at a connector that is not configured');
      return 'away';
    }
    await tx`
      update debit_runs set attempt_id = ${id}, look_at = null, orders = orders + 1,
        tried_on = coalesce(tried_on, ${clocks.business.today()}::date)
      where ${ofRun}`;
    return await attempts.beginDebit(tx, id, { request, amount: run.amount, card, channel });
  };

  const begin = async (row: DueRow, found: SubmittedRun): Promise<BegunDebit | null> => {
    const today = clocks.business.today();
    if (row.orders >= mostOrders || (row.tried_on && compareDays(today, row.tried_on) > 0)) {
      await giveUpUnconfirmed(row, found);
      return null;
    }
    const id = await recordIds.next();
    const begun = await sql.begin((tx) => store(tx, row, found, id));
    if (begun === 'away') await tryLater(row, found);
    else if (begun && 'code' in begun) await giveUp(row, found, begun);
    else return begun;
    return null;
  };

  const goOn = async (row: DueRow): Promise<void> => {
    const [found] = await readRuns(sql, [keyOf(row)]);
    if (!found) return;
    if (row.attempt_id !== null) return await finish(row, found);
    const begun = await begin(row, found);
    if (!begun) return;
    const { sent } = await attempts.chargeDebit(begun);
    const [ended] = await readDue(
      sql,
      sql`account_id = ${row.account_id} and request_id = ${row.request_id} and no = ${row.no}
        and attempt_id is not null`,
    );
    // A charge that never left this process is not an order.
    if (ended) await finish(sent ? ended : { ...ended, orders: ended.orders - 1 }, found);
  };

  return {
    name: 'debits charged by connectors',
    async nextDue() {
      const [row] = await sql<{ on: Temporal.PlainDate | null; at: Temporal.Instant | null }[]>`
        select min(run_on) filter (where look_at is null) as on, min(look_at) as at
        from ${dueRuns(sql)}`;
      const day = row?.on ? midnightOf(row.on) : null;
      const at = row?.at ?? null;
      return day && at ? (Temporal.Instant.compare(day, at) < 0 ? day : at) : (day ?? at);
    },
    async run(now) {
      const due = await readDue(
        sql,
        sql`run_on <= ${dayOf(now)}::date and (look_at is null or look_at <= ${now}::timestamptz)`,
      );
      return await eachForAWhile(due, { atOnce, wall: clocks.wall, forMs: beginsWithinMs }, (row) =>
        goOn(row).catch((error) => postpone(row, error)),
      );
    },
  };
}
