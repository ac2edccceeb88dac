import type { Field, FixedRecord, Layout, ValuesOf } from '../../kernel/fixed-width.ts';
import { type Centavos, decimalText } from '../../kernel/money.ts';
import { decodeLine, LineFault, misplaced, type RefuseField, refuseFields } from './fault.ts';
import type { LineReader } from './format.ts';

type HeaderLayout = Layout & { readonly date: Field<Temporal.PlainDate> };
type TrailerLayout = Layout & {
  readonly count: Field<number>;
  readonly total: Field<Centavos>;
};

/** A file of one header, details, and one trailer that counts and adds them up. */
export interface Envelope<
  H extends HeaderLayout,
  D extends Layout,
  T extends TrailerLayout,
  Item extends { amount: Centavos },
> {
  kindOf(line: string): 'header' | 'detail' | 'trailer';
  header: FixedRecord<H>;
  checkHeader(header: ValuesOf<H>, refuse: RefuseField<H>): void;
  detailOf(line: string): FixedRecord<D>;
  item(detail: ValuesOf<D>, header: ValuesOf<H>, refuse: RefuseField<D>): Item;
  trailer: FixedRecord<T>;
  checkTrailer(trailer: ValuesOf<T>, header: ValuesOf<H>, refuse: RefuseField<T>): void;
}

/** Compares the sums that a trailer states with those that were read. */
export function checkSums(
  stated: { count: number; total: Centavos },
  read: { count: number; total: number },
  refuse: (field: 'count' | 'total', expected: string) => never,
): void {
  if (stated.count !== read.count) refuse('count', `${read.count}, the payments before it`);
  if (stated.total !== read.total) {
    refuse('total', `${decimalText(read.total as Centavos)}, the sum of the payments before it`);
  }
}

/** Reads such a file, strictly in order. */
export function envelopeReader<
  H extends HeaderLayout,
  D extends Layout,
  T extends TrailerLayout,
  Item extends { amount: Centavos },
>(envelope: Envelope<H, D, T, Item>): LineReader<Item> {
  let header: ValuesOf<H> | null = null;
  let ended = false;
  const read = { count: 0, total: 0 };

  const dateOf = (values: ValuesOf<H>): Temporal.PlainDate =>
    (values as { date: Temporal.PlainDate }).date;

  const readHeader = (line: string): void => {
    const values = decodeLine(envelope.header, line);
    const refuse = refuseFields(envelope.header, line);
    envelope.checkHeader(values, refuse);
    header = values;
  };

  const readTrailer = (line: string, values: ValuesOf<H>): void => {
    const trailer = decodeLine(envelope.trailer, line);
    const refuse = refuseFields(envelope.trailer, line);
    checkSums(trailer as unknown as { count: number; total: Centavos }, read, refuse);
    envelope.checkTrailer(trailer, values, refuse);
    ended = true;
  };

  return {
    read(line) {
      const kind = envelope.kindOf(line);
      if (ended) throw misplaced(line, 'no line behind the trailer');
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
      read.total += item.amount;
      return item;
    },
    end() {
      if (header === null || !ended) throw endsEarly('the trailer');
      return { date: dateOf(header) };
    },
  };
}

export const endsEarly = (missing: string): LineFault =>
  new LineFault({ from: 1, to: 1, field: null, found: 'the end of the file', expected: missing });
