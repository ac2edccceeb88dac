import type { Centavos } from '../../kernel/money.ts';
import type { PaymentFact } from '../../money/collections/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { DebitRun } from '../debit.ts';
import { rejectCodeOf } from './reject-codes.ts';
import { runSource, type SubmittedRun, sourceRefOf } from './runs.ts';

/** A bank's or card processor's report about a run. */
export interface RunOutcome {
  accountId: string;
  requestId: number;
  runNo: DebitRun['no'];
  /** `amount` is the collected amount in centavos, if not the whole. */
  outcome:
    | { type: 'paid'; paidAt: Temporal.Instant; amount?: Centavos }
    | { type: 'rejected'; at: Temporal.Instant; code: string; text: string };
  actor: Actor;
  /** Display name of the channel, such as a card's brand. */
  label: string;
  /** True if the same report moves the mandate to another account or card. */
  moves?: boolean;
}

export const channelOf = {
  debit_request: 'direct_debit',
  card_debit_request: 'card_debit',
} as const;

/** Converts an outcome to a fact, one per run. */
export function factOf({ request, run }: SubmittedRun, report: RunOutcome): PaymentFact {
  const { outcome } = report;
  return {
    request,
    type: outcome.type === 'paid' ? 'collected' : 'rejected',
    channel: channelOf[run.kind],
    label: report.label,
    amount: (outcome.type === 'paid' && outcome.amount) || run.amount,
    paidAt: outcome.type === 'paid' ? outcome.paidAt : outcome.at,
    source: runSource,
    sourceRef: sourceRefOf(run.request_id, run.no),
    actor: report.actor,
    attemptId: null,
    details: outcome.type === 'paid' ? {} : refusalOf(outcome.code, outcome.text),
  };
}

const refusalOf = (code: string, text: string) => ({
  code,
  state_comment: `${code}: ${rejectCodeOf(code, text).text}`,
});
