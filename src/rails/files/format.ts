import type { Centavos } from '../../kernel/money.ts';
import type { ChannelCode } from '../../money/channels/index.ts';
import type { PayableRow } from '../../payment-requests/index.ts';
import { refusal } from '../codes.ts';

/** Returns our identifier at a rail. Throws 400 if it is not configured. */
export function configured(value: string | null, variable: string): string {
  if (value !== null) return value;
  throw refusal('rail.not_connected', { variable });
}

/** This collector's identifiers at the networks (null if not configured), and the business day. */
export interface RailTerms {
  pagoFacilClient: string | null;
  rapipagoCompany: string | null;
  pmcCompany: string | null;
  linkEntity: string | null;
  /** True if cash networks accept our coupons. */
  takesCash: boolean;
  today: Temporal.PlainDate;
}

/** The code of the paid request: a coupon's barcode, or a typed payment code. */
export interface PaymentCode {
  kind: 'barcode' | 'typed';
  text: string;
  /** True if control characters follow the code in its columns. */
  hasControls: boolean;
}

export interface RailPayment {
  code: PaymentCode;
  amount: Centavos;
  paidAt: Temporal.Instant;
}

/** Reads a file line by line. Both methods throw LineFault. */
export interface LineReader<Item> {
  /** Returns the item that the line completes, if any. */
  read(line: string): Item | null;
  /** Returns the date of the file. Call it after the last line. */
  end(): { date: Temporal.PlainDate };
}

/** A file of payments. */
export interface InboundRail {
  name: string;
  title: string;
  channel: ChannelCode;
  /** Display name on results. */
  label: string;
  createReader(terms: RailTerms): LineReader<RailPayment>;
}

/** File name and lines. Lines end in CR LF. */
export interface WrittenFile {
  name: string;
  lines: string[];
}

/** Capacity of one file. */
export interface Room {
  count: number;
  total: Centavos;
}

/** An item that does not fit into a file, and why. */
export interface LeftOut {
  accountId: string;
  requestId: number;
  reason: string;
}

/**
 * Writes a file line by line; call the methods in this order. A line that does not fit throws
 * RangeError and leaves the file unchanged.
 */
export interface LineWriter {
  name: string;
  head(): string;
  line(payable: PayableRow): string;
  tail(): string;
  /** Returns the companion file, or null if the format has none. */
  companion(): WrittenFile | null;
}

/** A file that publishes payable requests. */
export interface OutboundRail {
  name: string;
  title: string;
  channel: ChannelCode;
  /** Capacity of one file. Further requests go into the next part. */
  room: Room;
  hasCompanion: boolean;
  /**
   * Creates the writer of one file. `part` counts the files of a day from 1. Throws RangeError
   * beyond the format's last part, and 400 if the collector is not registered.
   */
  createWriter(terms: RailTerms, date: Temporal.PlainDate, part: number): LineWriter;
}
