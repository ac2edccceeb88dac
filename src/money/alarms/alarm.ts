import type { Centavos } from '../../kernel/money.ts';

/** Facts that need a person's attention. */
export const moneyAlarmKinds = [
  'amount',
  'reference',
  'excluded_brand',
  'late_approval',
  'hold',
  'not_returned',
  'debit_not_charged',
  'back_before',
  'refund',
  'reversed_in_suspense',
  'reversed_after_return',
  'undecided',
  'card_number',
  'card_testing',
  'forged_journal',
  'forged_fact',
  'dead_letter',
  'settlement',
] as const;

export type MoneyAlarmKind = (typeof moneyAlarmKinds)[number];

/** A difference between the books and the outside world. */
export interface MoneyAlarm {
  kind: MoneyAlarmKind;
  /** Name of the fact within its kind. Raising it twice creates one alarm. */
  fact: string;
  message: string;
  connector?: string;
  accountId?: string;
  requestId?: number;
  attemptId?: number;
  resultId?: number;
  suspenseId?: number;
  amount?: Centavos;
}

export interface MoneyAlarmRow {
  id: number;
  kind: MoneyAlarmKind;
  fact: string;
  message: string;
  connector: string | null;
  account_id: string | null;
  request_id: number | null;
  attempt_id: number | null;
  result_id: number | null;
  suspense_id: number | null;
  amount: Centavos | null;
  raised_at: Temporal.Instant;
  closed_at: Temporal.Instant | null;
  closed_by: string | null;
  note: string | null;
}
