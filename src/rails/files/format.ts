import type { Centavos } from '../../kernel/money.ts';
import type { ChannelCode } from '../../money/channels/index.ts';
import type { PayableRow } from '../../payment-requests/index.ts';
import { refusal } from '../codes.ts';

/** Returns our identifier at a rail; throws if it is not configured. */
export function configured(value: string | null, variable: string): string {
  if (value !== null) return value;
  throw refusal('rail.not_connected', { variable });
}

/**
 * Identifiers of this collector at the networks (configuration; null: none), and the business day.
 */
export interface RailTerms {
  pagoFacilClient: string | null;
  rapipagoCompany: string | null;
  pmcCompany: string | null;
  linkEntity: string | null;
  /** True if cash networks take our coupons. */
  takesCash: boolean;
  today: Temporal.PlainDate;
}

/** A file's reference to the paid request: a coupon's barcode, or the code that the payer typed. */
export interface PaymentCode {
  kind: 'barcode' | 'typed';
  text: string;
  /** True if control characters followed it in its columns. */
  hasControls: boolean;
}

/** A payment as a file tells it. */
export interface RailPayment {
  code: PaymentCode;
  amount: Centavos;
  paidAt: Temporal.Instant;
}

/** Reads a file line by line. Both calls throw LineFault. */
export interface LineReader<Item> {
  /** Answers what the line completes, if it completes something. */
  read(line: string): Item | null;
  /** To be called behind the last line; answers the day of the file's header. */
  end(): { date: Temporal.PlainDate };
}

/** A file that tells payments. */
export interface InboundRail {
  name: string;
  title: string;
  channel: ChannelCode;
  /** Display name on the results. */
  label: string;
  createReader(terms: RailTerms): LineReader<RailPayment>;
}

/** A file's name and its lines, which end in CR LF. */
export interface WrittenFile {
  name: string;
  lines: string[];
}

/** Capacity of one file. */
export interface Room {
  count: number;
  total: Centavos;
}

/** An item that a file cannot hold, and why. */
export interface LeftOut {
  accountId: string;
  requestId: number;
  reason: string;
}

/**
 * Writes a file line by line; the order of the calls is the order of the methods. A line that does
 * not fit throws RangeError and counts for nothing.
 */
export interface LineWriter {
  name: string;
  head(): string;
  line(payable: PayableRow): string;
  tail(): string;
  /** A second file that goes with the first. */
  companion(): WrittenFile | null;
}

/** A file that publishes what can be paid. */
export interface OutboundRail {
  name: string;
  title: string;
  channel: ChannelCode;
  /** The sums that its columns hold: what is more goes into another part. */
  room: Room;
  /** True if a second file goes with each. */
  hasCompanion: boolean;
  /** `part`: from 1, of the files of a day. Throws RangeError where there can be no such part. */
  createWriter(terms: RailTerms, date: Temporal.PlainDate, part: number): LineWriter;
}
