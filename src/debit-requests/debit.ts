import type { FindMandate, MandateKind, MandateRow } from '../mandates/index.ts';
import type { RequestOf, RequestRow } from '../requests/index.ts';

export type DebitKind = 'debit_request' | 'card_debit_request';

/** The kind of mandate for each kind of debit. */
export const mandateKindOf = {
  debit_request: 'adhesion',
  card_debit_request: 'card_adhesion',
} as const satisfies Record<DebitKind, MandateKind>;

export type DebitDetails = {
  /** The debit's own reference. Without it, reports show the mandate's. */
  external_reference?: string;
  metadata?: Record<string, unknown>;
  /** Period of a card debit's run. */
  month?: number;
  year?: number;
  /**
   * The cut day that determined its run. Later changes of the account's cut day do not affect it.
   */
  cut_day?: number;
};

export type DebitRow = RequestOf<DebitKind, DebitDetails> & { mandate_id: number };

export const isDebit = (row: RequestRow, kind: DebitKind): row is DebitRow => row.kind === kind;

/** Returns a debit's mandate. Mandates are never deleted, so it exists. */
export async function mandateOf(row: DebitRow, find: FindMandate): Promise<MandateRow> {
  const { account_id: accountId, mandate_id: id } = row;
  const mandate = await find({ accountId, kind: mandateKindOf[row.kind], id });
  if (!mandate) throw new Error('a debit without its mandate');
  return mandate;
}

/** One submission of a debit to the bank or card processor. */
export interface DebitRun {
  account_id: string;
  request_id: number;
  /** 2 is the run on the second due date, after insufficient funds on the first. */
  no: 1 | 2;
  kind: DebitKind;
  /** Day of submission. Until then the debit can be canceled. */
  submit_on: Temporal.PlainDate;
  /** Business day of the debit. */
  run_on: Temporal.PlainDate;
  amount: RequestRow['total1'];
  state: 'waiting' | 'submitted' | 'done';
  /** True if the card's connector charges it, so that no file carries it. */
  charged?: boolean;
}
