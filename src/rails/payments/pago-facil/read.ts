import { type Centavos, zero } from '../../../kernel/money.ts';
import { checkSums, endsEarly } from '../../files/envelope.ts';
import { counted, decodeLine, misplaced, refuseFields } from '../../files/fault.ts';
import {
  configured,
  type InboundRail,
  type LineReader,
  type RailPayment,
  type RailTerms,
} from '../../files/format.ts';
import { type PaymentData, paidOf, refuseFuture } from '../payment.ts';
import {
  barcode,
  batchHeader,
  batchTrailer,
  fileHeader,
  fileTrailer,
  instrument,
  payment,
} from './layout.ts';

type Type = '1' | '3' | '5' | '6' | '7' | '8' | '9';

/**
 * Allowed successors of each record. A file consists of batches of payments, and each payment has a
 * barcode and may have instruments.
 */
const followers: Record<Type | 'start', readonly Type[]> = {
  start: ['1'],
  1: ['3', '9'],
  3: ['5', '8'],
  5: ['6'],
  6: ['7', '5', '8'],
  7: ['7', '5', '8'],
  8: ['3', '9'],
  9: [],
};

const names: Record<Type, string> = {
  1: 'file header (1)',
  3: 'batch header (3)',
  5: 'payment (5)',
  6: 'barcode (6)',
  7: 'instrument (7)',
  8: 'batch trailer (8)',
  9: 'file trailer (9)',
};

/** Sequence before the first payment of a batch. */
const none = -1;
const lastSequence = 99_999;

interface Sums {
  count: number;
  total: Centavos;
}

/** Reads a transmission in strict order. */
class Transmission implements LineReader<RailPayment> {
  readonly #terms: RailTerms;
  #last: Type | 'start' = 'start';
  #date: Temporal.PlainDate | null = null;
  #batches = 0;
  #batchNo = 0;
  #sequence = none;
  readonly #file: Sums = { count: 0, total: zero };
  #batch: Sums = { count: 0, total: zero };
  #paid: PaymentData | null = null;

  constructor(terms: RailTerms) {
    this.#terms = terms;
  }

  read(line: string): RailPayment | null {
    const type = followers[this.#last].find((one) => line.startsWith(one));
    if (type === undefined) throw misplaced(line, this.#expected());
    this.#last = type;
    switch (type) {
      case '1':
        this.#readFileHeader(line);
        return null;
      case '3':
        this.#batchNo = decodeLine(batchHeader, line).batch;
        this.#batches += 1;
        this.#batch = { count: 0, total: zero };
        this.#sequence = none;
        return null;
      case '5':
        this.#readPayment(line);
        return null;
      case '6':
        return this.#readBarcode(line);
      case '7':
        decodeLine(instrument, line);
        return null;
      case '8':
        this.#readBatchTrailer(line);
        return null;
      case '9':
        this.#readFileTrailer(line);
        return null;
    }
  }

  end(): { date: Temporal.PlainDate } {
    if (this.#date === null || this.#last !== '9') throw endsEarly(this.#expected());
    return { date: this.#date };
  }

  #expected(): string {
    const next = followers[this.#last].map((type) => names[type]);
    return next.length > 0 ? `a ${next.join(' or ')}` : 'the end of the file';
  }

  #readFileHeader(line: string): void {
    const { date, client } = decodeLine(fileHeader, line);
    const refuse = refuseFields(fileHeader, line);
    const { pagoFacilClient, today } = this.#terms;
    const ours = configured(pagoFacilClient, 'PAGO_FACIL_CLIENT');
    if (client !== ours) refuse('client', `${ours} (PAGO_FACIL_CLIENT)`);
    refuseFuture(date, today, (expected) => refuse('date', expected));
    this.#date = date;
  }

  #readPayment(line: string): void {
    const fields = decodeLine(payment, line);
    const { sequence } = fields;
    const refuse = refuseFields(payment, line);
    // The sequence restarts after the largest number that fits its columns.
    if (sequence <= this.#sequence && this.#sequence !== lastSequence) {
      refuse('sequence', `a number above ${this.#sequence}, that of the payment before`);
    }
    this.#sequence = sequence;
    this.#paid = paidOf(fields, this.#terms.today, refuse);
    for (const sums of [this.#file, this.#batch]) {
      sums.count += 1;
      sums.total = counted(sums.total, fields.amount);
    }
  }

  #readBarcode(line: string): RailPayment {
    const fields = decodeLine(barcode, line);
    if (this.#paid === null) throw new Error('a barcode without its payment');
    return { code: { kind: 'barcode', ...fields.barcode }, ...this.#paid };
  }

  #readBatchTrailer(line: string): void {
    const trailer = decodeLine(batchTrailer, line);
    const refuse = refuseFields(batchTrailer, line);
    if (trailer.batch !== this.#batchNo) refuse('batch', `${this.#batchNo}, as in its header`);
    checkSums(trailer, this.#batch, refuse);
  }

  #readFileTrailer(line: string): void {
    const trailer = decodeLine(fileTrailer, line);
    const refuse = refuseFields(fileTrailer, line);
    if (trailer.batches !== this.#batches) refuse('batches', `${this.#batches}, those before it`);
    checkSums(trailer, this.#file, refuse);
  }
}

export const pagoFacil: InboundRail = {
  name: 'pago-facil',
  title: 'Pago Fácil, collections (transmission)',
  channel: 'non_banking',
  label: 'Pago Fácil',
  createReader: (terms) => new Transmission(terms),
};
