import type { Centavos } from '../../kernel/money.ts';

/** Facts about money that an operator must look into. */
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

/** An alarm to raise: a difference from a bank or acquirer, a forged row, or a suspected abuse. */
export interface MoneyAlarm {
  kind: MoneyAlarmKind;
  /** Name of the fact within its kind. Repeats of a fact raise no second alarm. */
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
