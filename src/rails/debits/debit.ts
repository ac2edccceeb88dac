import type { DebitKind, DebitRun } from '../../debit-requests/index.ts';
import type { CardBrand } from '../../kernel/card-number.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { LineReader, Room } from '../files/format.ts';

/** This collector's ids at bank and card processor, from the configuration; null if not set. */
export interface DebitIdentity {
  /** Number of the service at the bank of the 350-character file. */
  directDebitService: string | null;
  /** Agreement and service at the bank of the 220-character file. */
  macroAgreement: string | null;
  macroService: string;
  /** Establishments at the card processor, one for each product. */
  visaEstablishment: string | null;
  visaDebitEstablishment: string | null;
  mastercardEstablishment: string | null;
  /** First digits of Visa Débito cards: no one range separates them from credit cards. */
  visaDebitPrefixes: readonly string[];
  /** Brands with debits in the exchange. */
  exchangeBrands: readonly CardBrand[];
}

/** The same, and the business day. */
export interface DebitRailTerms extends DebitIdentity {
  today: Temporal.PlainDate;
}

const idDigits = 14;

/**
 * The name of a debit's run in every file: 15 digits, those of the debit's id and then the run's
 * number. Throws RangeError for an id of more than 14 digits.
 */
export function runReference(requestId: number, no: DebitRun['no']): string {
  const id = String(requestId);
  if (id.length > idDigits)
    throw new RangeError(`The debit's id has ${id.length} digits: ${idDigits} fit.`);
  return `${id.padStart(idDigits, '0')}${no}`;
}

/** Parses a run's reference; null if it is not ours. */
export function runOfReference(
  reference: string,
): { requestId: number; no: DebitRun['no'] } | null {
  if (!/^\d{14}[12]$/.test(reference)) return null;
  const requestId = Number(reference.slice(0, idDigits));
  return requestId > 0 ? { requestId, no: reference.endsWith('1') ? 1 : 2 } : null;
}

const mandateDigits = 15;

/** The name of a mandate at the bank, which is the customer's id there: 15 digits. */
export const mandateCode = (id: number): string => String(id).padStart(mandateDigits, '0');

/** Parses a mandate's id from a customer id, with or without leading zeros; null if it is none. */
export function mandateOfCode(code: string): number | null {
  return /^\d{1,15}$/.test(code) && Number(code) > 0 ? Number(code) : null;
}

/** A submitted run, with the data for files. */
export interface Submission {
  run: Pick<DebitRun, 'account_id' | 'request_id' | 'no' | 'run_on' | 'amount'>;
  mandateId: number;
  /** Of the debit. */
  description: string;
}

export interface BankSubmission extends Submission {
  cbu: string;
  /** Of the mandate. */
  shortDescription: string;
  /** DNI, CUIT or CUIL of the account's holder. */
  document: string;
}

export interface CardSubmission extends Submission {
  /** In clear, for as long as its line is written. */
  number: string;
}

/** The data of a file; its sums are known if the header has them. */
export interface Presentation {
  date: Temporal.PlainDate;
  time: Temporal.PlainTime;
  count: number;
  total: Centavos;
}

/**
 * Writes a file line by line, in the order of the methods. A line that does not fit throws
 * RangeError and is not counted.
 */
export interface DebitWriter<S> {
  name: string;
  head(): string | null;
  line(submission: S): string;
  tail(): string | null;
}

/** The part of a debit that decides its file. */
type Carried<S> = S extends { number: string } ? Pick<S, 'number'> : unknown;

interface OutboundOf<K extends DebitKind, S> {
  name: string;
  title: string;
  kind: K;
  /** Capacity of one file: the rest goes into another one. */
  room: Room;
  /** True if this deployment is registered there. */
  isConfigured(known: DebitIdentity): boolean;
  /** Which of the debits of this kind go out in this file. */
  takes(submission: Carried<S>, known: DebitIdentity): boolean;
  createWriter(terms: DebitRailTerms, presentation: Presentation): DebitWriter<S>;
}

export type BankOutbound = OutboundOf<'debit_request', BankSubmission>;
export type CardOutbound = OutboundOf<'card_debit_request', CardSubmission> & {
  /** The brands of cards that may be in it, and how long their numbers. */
  brands(known: DebitIdentity): readonly CardBrand[];
  longestCard: number;
};

/** A file that puts debits to a bank or card processor. */
export type OutboundDebits = BankOutbound | CardOutbound;

/** A file's news of a run or a mandate. */
export type DebitNews =
  | { type: 'paid'; amount: Centavos; on: Temporal.PlainDate }
  | { type: 'rejected'; code: string; text: string; on: Temporal.PlainDate }
  /** The holder took the money back. */
  | { type: 'reversed'; comment: string }
  | { type: 'mandate_ended'; comment: string }
  | { type: 'instrument_changed' }
  /** The line contradicts itself: it moves nothing, and a person decides. */
  | { type: 'unclear'; comment: string }
  /** It has no consequence here: the operator is notified. */
  | { type: 'notice'; comment: string };

/** The account or card that took the place of another. */
export type Replacement = { type: 'cbu'; cbu: string } | { type: 'card'; number: string };

/** One line of a file that answers. */
export interface DebitItem {
  news: DebitNews;
  /** As in the file: the run's reference, the mandate's code; empty if missing. */
  reference: string;
  mandate: string;
  /** The amount of the line, as the file's total counts it. */
  amount: Centavos;
  replacement: Replacement | null;
}

/** A file with debits' outcomes. */
export interface InboundDebits {
  name: string;
  title: string;
  kind: DebitKind;
  createReader(terms: DebitRailTerms): LineReader<DebitItem>;
}

/** The outcome of a line of an answer. */
export type DebitOutcome =
  | 'paid'
  | 'rejected'
  /** Rejected, and to be tried again on the second due date. */
  | 'retried'
  /** The code is not the last word. */
  | 'in_process'
  | 'reversed'
  | 'mandate_closed'
  | 'instrument_changed'
  /** A repetition. */
  | 'known'
  /** It matches nothing known; money is in suspense. */
  | 'suspense'
  | 'unmatched'
  | 'notice';

/** Remarks on a line for the operator. */
export const debitRemarks = [
  /** No run of this reference was handed over. */
  'unknown_reference',
  'unknown_mandate',
  /** The run, the reversal or the mandate's end was reported before. */
  'told_before',
  /** One run is reported both paid and rejected: the first report stays. */
  'contradicts',
  /** The line contradicts itself: the debit stays in process. */
  'unclear',
  /** A reversal of an unpaid or reversed debit, or after its 30 days. */
  'not_paid',
  'amount_differs',
  /** A rejection that ends the mandate. */
  'closes_mandate',
  'new_instrument',
  'unusable_instrument',
  /** A message of the bank without consequences here. */
  'notice',
] as const;
export type DebitRemark = (typeof debitRemarks)[number];
