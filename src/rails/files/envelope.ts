import type { DecodedRecord, FixedRecord, Layout, ValuesOf } from '../../kernel/fixed-width.ts';
import { type Centavos, decimalText, zero } from '../../kernel/money.ts';
import {
  counted,
  decodeLine,
  LineFault,
  misplaced,
  type RefuseField,
  refuseFields,
} from './fault.ts';
import type { LineReader } from './format.ts';

interface Dated {
  date: Temporal.PlainDate;
}

interface Sums {
  count: number;
  total: Centavos;
}

/** A record whose values include these. */
type Telling<L extends Layout, Values> = FixedRecord<L> & {
  decode(line: string): DecodedRecord<ValuesOf<L> & Values>;
};

/** A file with one header, detail records, and one trailer with their count and sum. */
export interface Envelope<
  H extends Layout,
  D extends Layout,
  T extends Layout,
  Item extends { amount: Centavos },
> {
  kindOf(line: string): 'header' | 'detail' | 'trailer';
  header: Telling<H, Dated>;
  checkHeader(header: ValuesOf<H>, refuse: RefuseField<H>): void;
  detailOf(line: string): FixedRecord<D>;
  item(detail: ValuesOf<D>, header: ValuesOf<H>, refuse: RefuseField<D>): Item;
  trailer: Telling<T, Sums>;
  checkTrailer(trailer: ValuesOf<T>, header: ValuesOf<H>, refuse: RefuseField<T>): void;
}

export function checkSums(
  stated: Sums,
  read: Sums,
  refuse: (field: 'count' | 'total', expected: string) => never,
): void {
  if (stated.count !== read.count) refuse('count', `${read.count}, the payments before it`);
  if (stated.total !== read.total) {
    refuse('total', `${decimalText(read.total)}, the sum of the payments before it`);
  }
}

/** Reads a file with header and trailer in strict order. */
export function envelopeReader<
  H extends Layout,
  D extends Layout,
  T extends Layout,
  Item extends { amount: Centavos },
>(envelope: Envelope<H, D, T, Item>): LineReader<Item> {
  let header: (ValuesOf<H> & Dated) | null = null;
  let ended = false;
  const read: Sums = { count: 0, total: zero };

  const readHeader = (line: string): void => {
    const values = decodeLine(envelope.header, line);
    const refuse = refuseFields(envelope.header, line);
    envelope.checkHeader(values, refuse);
    header = values;
  };

  const readTrailer = (line: string, values: ValuesOf<H>): void => {
    const trailer = decodeLine(envelope.trailer, line);
    const refuse = refuseFields(envelope.trailer, line);
    checkSums(trailer, read, refuse);
    envelope.checkTrailer(trailer, values, refuse);
    ended = true;
  };

  return {
    read(line) {
      const kind = envelope.kindOf(line);
      if (ended) throw misplaced(line, 'the end of the file');
      if (header === null) {
        if (kind !== 'header') throw misplaced(line, 'the header first');
        readHeader(line);
        return null;
      }
      if (kind === 'header') throw misplaced(line, 'one header only');
      if (kind === 'trailer') {
        readTrailer(line, header);
        return null;
      }
      const record = envelope.detailOf(line);
      const item = envelope.item(decodeLine(record, line), header, refuseFields(record, line));
      read.count += 1;
      read.total = counted(read.total, item.amount);
      return item;
    },
    end() {
      if (header === null || !ended) throw endsEarly('the trailer');
      return { date: header.date };
    },
  };
}

export const endsEarly = (missing: string): LineFault =>
  new LineFault({ from: 1, to: 1, field: null, found: 'the end of the file', expected: missing });
