import type { DebitKind, DebitRun } from '../../debit-requests/index.ts';
import type { CardBrand } from '../../kernel/card-number.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { LineReader, Room } from '../files/format.ts';

/** This collector's identifiers at banks and card processors. Null if not configured. */
export interface DebitIdentity {
  /** Service number at the bank of the 350-character file. */
  directDebitService: string | null;
  /** Agreement and service at the bank of the 220-character file. */
  macroAgreement: string | null;
  macroService: string;
  /** Establishments at the card processor, by product. */
  visaEstablishment: string | null;
  visaDebitEstablishment: string | null;
  mastercardEstablishment: string | null;
  /**
   * First digits of Visa Débito cards, because no single range separates them from credit cards.
   */
  visaDebitPrefixes: readonly string[];
  /** Card brands that the exchange format carries. */
  exchangeBrands: readonly CardBrand[];
}

export interface DebitRailTerms extends DebitIdentity {
  today: Temporal.PlainDate;
}

const idDigits = 14;

/**
 * Returns a run's 15-digit reference in every file: the debit's id, then the run's number. Throws
 * RangeError for an id of more than 14 digits.
 */
export function runReference(requestId: number, no: DebitRun['no']): string {
  const id = String(requestId);
  if (id.length > idDigits)
    throw new RangeError(`The debit's id has ${id.length} digits: ${idDigits} fit.`);
  return `${id.padStart(idDigits, '0')}${no}`;
}

/** Parses a run's reference. Returns null if it is not ours. */
export function runOfReference(
  reference: string,
): { requestId: number; no: DebitRun['no'] } | null {
  if (!/^\d{14}[12]$/.test(reference)) return null;
  const requestId = Number(reference.slice(0, idDigits));
  return requestId > 0 ? { requestId, no: reference.endsWith('1') ? 1 : 2 } : null;
}

const mandateDigits = 15;

/** Returns the mandate's customer id at the bank, 15 digits. */
export const mandateCode = (id: number): string => String(id).padStart(mandateDigits, '0');

/**
 * Parses a mandate's id from a customer id, with or without leading zeros. Returns null if it is
 * malformed.
 */
export function mandateOfCode(code: string): number | null {
  return /^\d{1,15}$/.test(code) && Number(code) > 0 ? Number(code) : null;
}

export interface Submission {
  run: Pick<DebitRun, 'account_id' | 'request_id' | 'no' | 'run_on' | 'amount'>;
  mandateId: number;
  description: string;
}

export interface BankSubmission extends Submission {
  cbu: string;
  shortDescription: string;
  /** DNI, CUIT or CUIL of the account holder. */
  document: string;
}

export interface CardSubmission extends Submission {
  /** Plain text, decrypted only while its line is written or checked. */
  number: string;
}

/** Header data. Some formats write the sums there, so they are computed first. */
export interface Presentation {
  date: Temporal.PlainDate;
  time: Temporal.PlainTime;
  count: number;
  total: Centavos;
}

/**
 * Writes a file line by line; call the methods in this order. A line that does not fit throws
 * RangeError and is not counted.
 */
export interface DebitWriter<S> {
  name: string;
  head(): string | null;
  line(submission: S): string;
  tail(): string | null;
}

/** The fields that decide which file carries a debit. */
type Carried<S> = S extends { number: string } ? Pick<S, 'number'> : unknown;

interface OutboundOf<K extends DebitKind, S> {
  name: string;
  title: string;
  kind: K;
  /** Capacity of one file. Further debits go into another one. */
  room: Room;
  /** Returns true if the collector is registered for this file. */
  isConfigured(known: DebitIdentity): boolean;
  /** Returns true if this file carries the debit. */
  takes(submission: Carried<S>, known: DebitIdentity): boolean;
  createWriter(terms: DebitRailTerms, presentation: Presentation): DebitWriter<S>;
}

export type BankOutbound = OutboundOf<'debit_request', BankSubmission>;
export type CardOutbound = OutboundOf<'card_debit_request', CardSubmission> & {
  /** Returns the card brands that the file accepts. */
  brands(known: DebitIdentity): readonly CardBrand[];
  longestCard: number;
};

/** A file that submits debits to a bank or card processor. */
export type OutboundDebits = BankOutbound | CardOutbound;

/** The report of a line about a run or mandate. */
export type DebitNews =
  | { type: 'paid'; amount: Centavos; on: Temporal.PlainDate }
  | { type: 'rejected'; code: string; text: string; on: Temporal.PlainDate }
  /** The holder reversed the payment. */
  | { type: 'reversed'; comment: string }
  | { type: 'mandate_ended'; comment: string }
  | { type: 'instrument_changed' }
  /**
   * The line contradicts itself, or has an unknown or missing reject code. Nothing is booked, and
   * the operator decides.
   */
  | { type: 'unclear'; comment: string }
  /** No automatic consequence. The operator is notified. */
  | { type: 'notice'; comment: string };

export type Replacement = { type: 'cbu'; cbu: string } | { type: 'card'; number: string };

/** A line of an answer file. */
export interface DebitItem {
  news: DebitNews;
  /** The run's reference and the mandate's code as in the file. Empty if missing. */
  reference: string;
  mandate: string;
  /** Amount of the line as counted in the file's total. */
  amount: Centavos;
  replacement: Replacement | null;
}

/** A file with the outcomes of debits. */
export interface InboundDebits {
  name: string;
  title: string;
  kind: DebitKind;
  createReader(terms: DebitRailTerms): LineReader<DebitItem>;
}

export type DebitOutcome =
  | 'paid'
  | 'rejected'
  /** Rejected, with a retry on the second due date. */
  | 'retried'
  /** An interim code. The final one follows. */
  | 'in_process'
  | 'reversed'
  | 'mandate_closed'
  | 'instrument_changed'
  /** Repeats an earlier line. */
  | 'known'
  /** A payment that matches no open run. Its money is in suspense. */
  | 'suspense'
  | 'unmatched'
  | 'notice';

export const debitRemarks = [
  /** No run with this reference was submitted. */
  'unknown_reference',
  'unknown_mandate',
  /** An earlier line reported this outcome. */
  'told_before',
  /**
   * Reported both paid and rejected. The first report counts, and money reported later goes into
   * suspense.
   */
  'contradicts',
  /** The line contradicts itself, so the debit stays in process. */
  'unclear',
  /** Reverses a debit that is unpaid or already reversed. */
  'not_paid',
  /** Collected another amount than ordered, or reverses another one than was paid. */
  'amount_differs',
  /** The rejection ends the mandate. */
  'closes_mandate',
  'new_instrument',
  'unusable_instrument',
  /** A message of the bank or processor without consequences. */
  'notice',
] as const;
export type DebitRemark = (typeof debitRemarks)[number];
