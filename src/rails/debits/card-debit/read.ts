import type { FixedRecord, Layout, ValuesOf } from '../../../kernel/fixed-width.ts';
import { compact, isFuture, notFuture } from '../../files/days.ts';
import { envelopeReader } from '../../files/envelope.ts';
import { LineFault, type RefuseField } from '../../files/fault.ts';
import type { LineReader } from '../../files/format.ts';
import type { DebitItem, DebitNews, InboundDebits, Replacement } from '../debit.ts';
import type { LayoutOf } from '../fields.ts';
import {
  type AnswerConstant,
  answerHeader,
  answerTrailer,
  creditAnswer,
  debitAnswer,
  purchase,
} from './layout.ts';
import { establishmentOf, establishmentVariables, type Product } from './products.ts';

type Credit = LayoutOf<typeof creditAnswer>;
type Debit = LayoutOf<typeof debitAnswer>;

interface Header {
  date: Temporal.PlainDate;
  establishment: string;
  /** The business day. */
  today: Temporal.PlainDate;
}

/** What a decision means: a purchase that went back is money that left again. */
function newsOf(
  { transaction, amount }: Pick<ValuesOf<Debit>, 'transaction' | 'amount'>,
  rejected: { code: string; text: string } | null,
  on: Temporal.PlainDate,
): DebitNews {
  if (transaction === purchase) {
    return rejected ? { type: 'rejected', ...rejected, on } : { type: 'paid', amount, on };
  }
  return rejected
    ? { type: 'notice', comment: `A refund was rejected. ${rejected.code}: ${rejected.text}` }
    : { type: 'reversed', comment: 'Reversed by the card processor.' };
}

const cardOf = (number: string | null): Replacement | null =>
  number === null ? null : { type: 'card', number };

const withoutSpaces = (text: string): string => text.replace(/ +/g, ' ').trim();

function creditItem(
  line: ValuesOf<Credit>,
  { establishment, today }: Header,
  refuse: RefuseField<Credit>,
): DebitItem {
  if (line.establishment !== establishment) {
    refuse('establishment', `${establishment}, as in the header`);
  }
  if (line.amount === 0) refuse('amount', 'an amount above zero');
  const on = line.paid_on ?? line.answered_on;
  if (isFuture(line.answered_on, today)) refuse('answered_on', notFuture(today));
  const first = { code: line.code, text: withoutSpaces(line.description) };
  const second = { code: line.second_code, text: withoutSpaces(line.second_description) };
  const told = [first, second].filter(({ code }) => code !== '' && code !== '00');
  if (line.decision === '1' && told.length === 0) refuse('code', 'the code of the rejection');
  const rejected =
    line.decision === '1'
      ? { code: told[0]?.code ?? '', text: told.map(({ text }) => text).join('; ') }
      : null;
  return {
    news: newsOf(line, rejected, isFuture(on, today) ? line.answered_on : on),
    reference: line.reference,
    mandate: '',
    amount: line.amount,
    replacement: cardOf(line.new_card),
  };
}

const approved = [null, '000'];

function debitItem(line: ValuesOf<Debit>, { date }: Header, refuse: RefuseField<Debit>): DebitItem {
  if (line.amount === 0) refuse('amount', 'an amount above zero');
  const { code, description } = line;
  const rejected =
    code === null || approved.includes(code) ? null : { code, text: withoutSpaces(description) };
  return {
    news: newsOf(line, rejected, date),
    reference: line.reference,
    mandate: '',
    amount: line.amount,
    replacement: null,
  };
}

/** Digits of a line that is out of place, or of a card, are not for a screen. */
function unseen<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof LineFault)) throw error;
    const { field, found } = error.fault;
    const hides = field === null || field.includes('card');
    if (!hides || !/\d{12}/.test(found)) throw error;
    throw new LineFault({ ...error.fault, found: found.replace(/\d/g, '*') });
  }
}

const withHiddenCards = <Item>(reader: LineReader<Item>): LineReader<Item> => ({
  read: (line) => unseen(() => reader.read(line)),
  end: () => unseen(() => reader.end()),
});

interface AnswerFile<L extends Layout> {
  product: Product;
  name: AnswerConstant;
  title: string;
  length: 300 | 150;
  detail: FixedRecord<L>;
  item(line: ValuesOf<L>, header: Header, refuse: RefuseField<L>): DebitItem;
}

const kindOf = (line: string) => {
  if (line.startsWith('0')) return 'header';
  return line.startsWith('9') ? 'trailer' : 'detail';
};

function inbound<L extends Layout>(file: AnswerFile<L>): InboundDebits {
  const { product, name, title, length, detail, item } = file;
  const header = answerHeader(length, name);
  const trailer = answerTrailer(length, name);
  return {
    name: name.toLowerCase(),
    title,
    kind: 'card_debit_request',
    createReader(terms) {
      const { today } = terms;
      const ours = establishmentOf(product, terms);
      return withHiddenCards(
        envelopeReader({
          kindOf,
          header,
          checkHeader({ establishment, date }, refuse) {
            if (isFuture(date, today)) refuse('date', notFuture(today));
            if (establishment !== ours) {
              refuse('establishment', `${ours} (${establishmentVariables[product]})`);
            }
          },
          detailOf: () => detail,
          item: (line, head, refuse) => item(line, { ...head, today }, refuse),
          trailer,
          checkTrailer({ establishment, date }, head, refuse) {
            if (establishment !== head.establishment) {
              refuse('establishment', `${head.establishment}, as in the header`);
            }
            if (!date.equals(head.date)) {
              refuse('date', `${compact(head.date)}, as in the header`);
            }
          },
        }),
      );
    },
  };
}

export const rdebliqc = inbound({
  product: 'visa',
  name: 'RDEBLIQC',
  title: 'Visa credit cards, 300 characters (RDEBLIQC)',
  length: 300,
  detail: creditAnswer,
  item: creditItem,
});

export const rdeblimc = inbound({
  product: 'mastercard',
  name: 'RDEBLIMC',
  title: 'Mastercard, 300 characters (RDEBLIMC)',
  length: 300,
  detail: creditAnswer,
  item: creditItem,
});

export const rdebliqd = inbound({
  product: 'visa_debit',
  name: 'RDEBLIQD',
  title: 'Visa Débito, validated, 150 characters (RDEBLIQD)',
  length: 150,
  detail: debitAnswer,
  item: debitItem,
});

export const ldebliqd = inbound({
  product: 'visa_debit',
  name: 'LDEBLIQD',
  title: 'Visa Débito, settled, 150 characters (LDEBLIQD)',
  length: 150,
  detail: debitAnswer,
  item: debitItem,
});
