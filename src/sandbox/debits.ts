import {
  type DebitKind,
  type DebitRequests,
  mandateKindOf,
  type RunOutcome,
  runsInNoFile,
} from '../debit-requests/index.ts';
import { compareDays, dayOf, midnightOf } from '../kernel/dates.ts';
import type { MandateRow, MandateVerbs } from '../mandates/index.ts';
import { decryptNumber } from '../mandates/index.ts';
import { channels } from '../money/channels/index.ts';
import type { Reverse } from '../money/reversals/index.ts';
import { system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { Refusal } from '../platform/errors.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import type { Sweep } from '../platform/sweeps.ts';
import type { Vault } from '../platform/vault.ts';
import { joinRequests } from '../requests/index.ts';
import { answersNextDayCents, decideDebit, reversedNextDayCents } from './simulator/outcomes.ts';

interface DebitParts {
  debits: DebitRequests;
  mandates: MandateVerbs;
  vault: Vault;
  reverse: Reverse;
}

interface SubmittedRow {
  account_id: string;
  request_id: number;
  no: 1 | 2;
  kind: DebitKind;
  run_on: Temporal.PlainDate;
  amount: number;
  mandate_id: number;
  /** The bank's latest code. */
  code: string | null;
}

const atOnce = 500;

const labelOf = (mandate: MandateRow): string =>
  mandate.kind === 'adhesion'
    ? channels.direct_debit.label
    : (mandate.details.brand_name ?? channels.card_debit.label);

/** The simulator's only interim code. */
const duplicateCode = 'R24';

/** Returns the number of days from the run to the simulator's next answer. */
const daysUntilAnswer = (sql: Queryable) => sql`
  (case when d.amount % 100 = ${answersNextDayCents} then 1 else 0 end
    + case when d.code is null then 0 else 1 end)`;

const kinds: DebitKind[] = ['debit_request', 'card_debit_request'];

/** Selects runs `d` with pending answers. Names the kinds, so that the index by day applies. */
const isUnanswered = (sql: Queryable) => sql`
  d.kind = any(${kinds}::text[]) and (d.code is null or d.code = ${duplicateCode})`;

/** Returns the first day with runs that are answered on the same day (nearly all are), or null. */
async function firstAnswered(sql: Queryable): Promise<Temporal.PlainDate | null> {
  const firsts = await Promise.all(
    kinds.map(
      (kind) => sql<{ run_on: Temporal.PlainDate }[]>`
        select d.run_on from ${runsInNoFile(sql)}
        where ${isUnanswered(sql)} and d.kind = ${kind} and ${daysUntilAnswer(sql)} = 0
        order by d.run_on limit 1`,
    ),
  );
  const days = firsts.flat().map(({ run_on: day }) => day);
  return days.toSorted(compareDays)[0] ?? null;
}

/**
 * Returns the day of the simulator's next answer, or null. Only runs of earlier days can be
 * answered sooner.
 */
async function nextAnswer(sql: Queryable): Promise<Temporal.PlainDate | null> {
  const first = await firstAnswered(sql);
  const [late] = await sql<{ due: Temporal.PlainDate | null }[]>`
    select min(d.run_on + ${daysUntilAnswer(sql)}) as due from ${runsInNoFile(sql)}
    where ${isUnanswered(sql)} ${first ? sql`and d.run_on < ${first}::date` : sql``}`;
  const days = [first, late?.due ?? null].filter((day) => day !== null);
  return days.toSorted(compareDays)[0] ?? null;
}

/**
 * Simulates the sandbox's bank and card processor, which answer on the day of the run, or a day or
 * two after it for the cases that test a late answer.
 */
function answers({ sql }: Base, { debits, mandates, vault }: DebitParts): Sweep {
  const instrumentOf = (mandate: MandateRow) =>
    mandate.kind === 'adhesion'
      ? ({ type: 'cbu', cbu: mandate.cbu } as const)
      : ({ type: 'card', number: decryptNumber(vault, mandate) } as const);

  const outcomeOf = async (row: SubmittedRow, now: Temporal.Instant): Promise<RunOutcome> => {
    const { account_id: accountId, mandate_id: id } = row;
    const mandate = await mandates.find({ accountId, kind: mandateKindOf[row.kind], id });
    if (!mandate) throw new Error('a debit without its mandate');
    // The bank had already accepted a "duplicate" run, and confirms it the next day.
    const refusal = row.code === null ? decideDebit(row.amount, instrumentOf(mandate)) : null;
    return {
      accountId,
      requestId: row.request_id,
      runNo: row.no,
      outcome: refusal
        ? { type: 'rejected', at: now, ...refusal }
        : { type: 'paid', paidAt: midnightOf(row.run_on) },
      actor: system,
      label: labelOf(mandate),
    };
  };

  return {
    name: 'debits answered by the simulator',
    async nextDue() {
      const day = await nextAnswer(sql);
      return day && midnightOf(day);
    },
    async run(now) {
      const due = await sql<SubmittedRow[]>`
        select d.account_id, d.request_id, d.no, d.kind, d.run_on, d.amount, d.code, r.mandate_id
        from ${runsInNoFile(sql)} ${joinRequests(sql, 'd', 'request_id')}
        where ${isUnanswered(sql)} and d.run_on <= ${dayOf(now)}::date
          and d.run_on + ${daysUntilAnswer(sql)} <= ${dayOf(now)}::date
        order by d.run_on, d.account_id, d.request_id limit ${atOnce}`;
      const outcomes = await Promise.all(due.map((row) => outcomeOf(row, now)));
      const reversed = due.filter(
        ({ amount }, index) =>
          amount % 100 === reversedNextDayCents && outcomes[index]?.outcome.type === 'paid',
      );
      const nextDay = midnightOf(dayOf(now).add({ days: 1 }));
      // Must precede settling, because settled debits are never revisited.
      await sql`
        insert into simulated_reversals (account_id, source_ref, request_id, reverses_at)
        select account_id, source_ref, request_id, ${nextDay}::timestamptz
        from ${recordset(
          sql,
          'one (account_id text, source_ref text, request_id bigint)',
          reversed.map((row) => ({ ...row, source_ref: `${row.request_id}/${row.no}` })),
        )}
        on conflict (account_id, source_ref) do nothing`;
      await debits.settle(outcomes);
      return due.length;
    },
  };
}

/** Simulates holders who reverse a debit on the next day. */
function reversals({ sql, log }: Base, { reverse }: DebitParts): Sweep {
  return {
    name: 'debits reversed by the simulator',
    async nextDue() {
      const [row] = await sql<{ due: Temporal.Instant | null }[]>`
        select min(reverses_at) as due from simulated_reversals where not reversed`;
      return row?.due ?? null;
    },
    async run(now) {
      const due = await sql<{ account_id: string; request_id: number; source_ref: string }[]>`
        select account_id, request_id, source_ref from simulated_reversals
        where not reversed and reverses_at <= ${now}::timestamptz
        order by reverses_at limit ${atOnce}`;
      for (const { account_id, request_id, source_ref } of due) {
        try {
          await reverse({
            key: { accountId: account_id, id: request_id },
            type: 'chargeback',
            resultId: null,
            amount: null,
            actor: system,
            source: 'simulator',
            sourceRef: `reversal ${source_ref}`,
            comment: 'Reversed by the holder.',
          });
        } catch (error) {
          if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
          log.info({ reason: error.message }, 'the simulator had nothing left to reverse');
        }
        await sql`
          update simulated_reversals set reversed = true
          where account_id = ${account_id} and source_ref = ${source_ref}`;
      }
      return due.length;
    },
  };
}

export const simulatedDebits = (base: Base, parts: DebitParts): Sweep[] => [
  answers(base, parts),
  reversals(base, parts),
];
