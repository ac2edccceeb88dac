import type { EndMandate } from '../adhesions/index.ts';
import type { Calendar } from '../calendar/index.ts';
import type { PaymentFact, RecordFacts } from '../collections/index.ts';
import { appendEvents } from '../events/index.ts';
import { formatDay } from '../kernel/dates.ts';
import type { Base } from '../platform/base.ts';
import type { RequestRow } from '../requests/index.ts';
import { type DebitRun, mandateKindOf } from './debit.ts';
import { rejectCodeOf } from './reject-codes.ts';
import { endRuns, noteCodes, readRuns, type SubmittedRun, startSecondRun } from './runs.ts';
import { type DebitTerms, timingOf } from './timing.ts';

/** What a bank or card processor says of a run. */
export interface RunOutcome {
  accountId: string;
  requestId: number;
  runNo: DebitRun['no'];
  outcome:
    | { type: 'paid'; paidAt: Temporal.Instant }
    | { type: 'rejected'; at: Temporal.Instant; code: string; text: string };
  actor: string;
  /** Display name of the channel: a card's brand. */
  label: string;
}

/**
 * What became of it. `known`: the run was decided before, and stays as it was decided; `waiting`:
 * the code was not the last word; `retried`: it runs again on the second due date; `unknown`: there
 * is no such run, or it was not handed over.
 */
export type Settled = 'paid' | 'rejected' | 'retried' | 'waiting' | 'known' | 'unknown';

export type SettleRuns = (outcomes: RunOutcome[]) => Promise<Settled[]>;

interface Parts {
  base: Base;
  recordFacts: RecordFacts;
  endMandate: EndMandate;
  loadCalendar(): Promise<Calendar>;
  terms: DebitTerms;
}

const channelOf = { debit_request: 'direct_debit', card_debit_request: 'card_debit' } as const;

function factOf({ request, run }: SubmittedRun, told: RunOutcome): PaymentFact {
  const { outcome } = told;
  const code = outcome.type === 'rejected' ? rejectCodeOf(outcome.code, outcome.text) : null;
  return {
    request: request as unknown as RequestRow,
    type: outcome.type === 'paid' ? 'collected' : 'rejected',
    channel: channelOf[run.kind],
    label: told.label,
    amount: run.amount,
    paidAt: outcome.type === 'paid' ? outcome.paidAt : outcome.at,
    // The run, not the file that tells of it: told twice, in whatever file, it is one fact.
    source: 'debit run',
    sourceRef: `${run.request_id}/${run.no}`,
    actor: told.actor,
    attemptId: null,
    details:
      outcome.type === 'rejected' && code
        ? { code: outcome.code, state_comment: `${outcome.code}: ${code.text}` }
        : {},
  };
}

/** Too little money at the first due: the second is tried, once. */
const runsAgain = ({ request, run }: SubmittedRun): boolean =>
  run.no === 1 && request.due2 !== null && request.total2 !== null;

function plan(found: SubmittedRun | null, told: RunOutcome): Settled {
  if (!found || found.run.state === 'waiting') return 'unknown';
  if (found.run.state === 'done') return 'known';
  if (told.outcome.type === 'paid') return 'paid';
  const { handling } = rejectCodeOf(told.outcome.code, told.outcome.text);
  if (handling === 'wait') return 'waiting';
  return handling === 'retry' && runsAgain(found) ? 'retried' : 'rejected';
}

/**
 * Settles runs, many at a time, each once however often it is told: money and refusals become
 * results, a refusal for want of money starts the second due, and codes that say that account or
 * service are gone end the mandate. Told again after a crash, it goes on where it stopped.
 */
export function settleRuns(parts: Parts): SettleRuns {
  const { base, recordFacts, endMandate, loadCalendar, terms } = parts;
  const { sql, clocks, recordIds } = base;

  const retry = async ({ request, run }: SubmittedRun, told: RunOutcome): Promise<void> => {
    const { due2, total2 } = request;
    if (due2 === null || total2 === null || told.outcome.type !== 'rejected') return;
    const today = clocks.business.today();
    const due = Temporal.PlainDate.compare(due2, today) < 0 ? today : due2;
    const timing = timingOf(await loadCalendar(), due, terms);
    const next: DebitRun = { ...run, ...timing, no: 2, amount: total2, state: 'waiting' };
    const { code, text } = told.outcome;
    const comment = `${code}: ${rejectCodeOf(code, text).text} It runs again on ${formatDay(timing.run_on)}.`;
    const eventId = await recordIds.next();
    await sql.begin(async (tx) => {
      const version = await startSecondRun(tx, run, next, { code, comment });
      if (version === null) return;
      await appendEvents(tx, [
        {
          accountId: run.account_id,
          entity: run.kind,
          entityId: String(run.request_id),
          version,
          id: eventId,
          type: `${run.kind}.retried`,
          at: clocks.business.now(),
          actor: told.actor,
          data: { state: request.state, state_comment: comment },
        },
      ]);
    });
  };

  const endWith = async ({ request, run }: SubmittedRun, told: RunOutcome): Promise<void> => {
    if (told.outcome.type !== 'rejected') return;
    const { code, text } = told.outcome;
    const known = rejectCodeOf(code, text);
    if (known.handling !== 'close') return;
    await endMandate({
      key: {
        accountId: run.account_id,
        kind: mandateKindOf[run.kind],
        id: request.mandate_id,
      },
      move: 'cancel',
      comment: `${code}: ${known.text}`,
      actor: told.actor,
      evidence: null,
    });
  };

  return async (outcomes) => {
    const found = await readRuns(sql, outcomes);
    const plans = outcomes.map((told, at) => plan(found[at] ?? null, told));
    const decided = outcomes.flatMap((told, at) => {
      const one = found[at];
      return one && (plans[at] === 'paid' || plans[at] === 'rejected') ? [{ one, told }] : [];
    });
    if (decided.length > 0) {
      await recordFacts(decided.map(({ one, told }) => factOf(one, told)));
      for (const { one, told } of decided) await endWith(one, told);
      // Last: until then a repeated call takes all these steps again, each of which is done once.
      await endRuns(
        sql,
        decided.map(({ one }) => one.run),
      );
    }
    const waiting = outcomes.flatMap((told, at) =>
      plans[at] === 'waiting' && told.outcome.type === 'rejected'
        ? [{ ...told, code: told.outcome.code }]
        : [],
    );
    if (waiting.length > 0) await noteCodes(sql, waiting);
    for (const [at, told] of outcomes.entries()) {
      const one = found[at];
      if (one && plans[at] === 'retried') await retry(one, told);
    }
    return plans;
  };
}
