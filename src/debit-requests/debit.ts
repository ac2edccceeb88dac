import type { FindMandate, MandateKind, MandateRow } from '../mandates/index.ts';
import type { RequestOf, RequestRow } from '../requests/index.ts';

export type DebitKind = 'debit_request' | 'card_debit_request';

/** The mandate that each kind of debit is made on. */
export const mandateKindOf = {
  debit_request: 'adhesion',
  card_debit_request: 'card_adhesion',
} as const satisfies Record<DebitKind, MandateKind>;

export type DebitDetails = {
  /** The debit's own reference; without it reports show the mandate's. */
  external_reference?: string;
  metadata?: Record<string, unknown>;
  /** Of a card debit: the period of its run. */
  month?: number;
  year?: number;
  /** The cut day that its run follows from, whatever the account has later. */
  cut_day?: number;
};

export type DebitRow = RequestOf<DebitKind, DebitDetails> & { mandate_id: number };

/** True if a request is a debit of this kind. */
export const isDebit = (row: RequestRow, kind: DebitKind): row is DebitRow => row.kind === kind;

/** The mandate of a debit: none is made without one, and none is ever removed. */
export async function mandateOf(row: DebitRow, find: FindMandate): Promise<MandateRow> {
  const { account_id: accountId, mandate_id: id } = row;
  const mandate = await find({ accountId, kind: mandateKindOf[row.kind], id });
  if (!mandate) throw new Error('a debit without its mandate');
  return mandate;
}

/** One time that a debit is put to the bank or card processor. */
export interface DebitRun {
  account_id: string;
  request_id: number;
  /** 2: the second due, after too little money was there at the first. */
  no: 1 | 2;
  kind: DebitKind;
  /** The day on which it is handed over; until then it can be canceled. */
  submit_on: Temporal.PlainDate;
  /** The business day of the debit. */
  run_on: Temporal.PlainDate;
  amount: RequestRow['total1'];
  state: 'waiting' | 'submitted' | 'done';
  /** True if the keeper of the card charges it, and no file carries it. */
  charged?: boolean;
}
