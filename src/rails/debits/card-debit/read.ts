import type { FixedRecord, Layout, ValuesOf } from '../../../kernel/fixed-width.ts';
import { compact, isFuture, notFuture } from '../../files/days.ts';
import { envelopeReader } from '../../files/envelope.ts';
import { LineFault, type RefuseField } from '../../files/fault.ts';
import { cardDigits, type LayoutOf } from '../../files/fields.ts';
import type { LineReader } from '../../files/format.ts';
import type { DebitItem, DebitNews, InboundDebits, Replacement } from '../debit.ts';
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
  today: Temporal.PlainDate;
}

interface Decision {
  outcome: 'approved' | 'rejected' | 'unclear';
  code: string;
  text: string;
}

/** Converts a decision to news. An approved refund means that the money was returned. */
function newsOf(
  { transaction, amount }: Pick<ValuesOf<Debit>, 'transaction' | 'amount'>,
  { outcome, ...reason }: Decision,
  on: Temporal.PlainDate,
): DebitNews {
  if (outcome === 'unclear') {
    const found = [reason.code, reason.text].filter((one) => one !== '').join(': ');
    return { type: 'unclear', comment: `Approval and rejection at once. ${found}`.trim() };
  }
  const rejected = outcome === 'rejected' ? reason : null;
  if (transaction === purchase) {
    return rejected ? { type: 'rejected', ...rejected, on } : { type: 'paid', amount, on };
  }
  return rejected
    ? { type: 'notice', comment: `A refund was rejected. ${rejected.code}: ${rejected.text}` }
    : { type: 'reversed', comment: 'Reversed by the card processor.' };
}

const cardOf = (number: string | null): Replacement | null =>
  number === null ? null : { type: 'card', number: cardDigits(number) };

const withoutSpaces = (text: string): string => text.replace(/ +/g, ' ').trim();

const approvals =
  /\b(?:APROB|ACEPT|AUTORIZ|ACREDIT|EFECTU|REALIZ|PROCES|COBR|DEBIT|PAG|EXIT|CORRECT|OK\b)/i;
const refusals = /\b(?:NO|SIN|RECH|DENEG|ERROR|FALT|INSUF|INVAL|VENC|BLOQ|REINT)/i;

/**
 * Returns true if the text does not contradict an approval: it is blank, or reads like an approval
 * and not like a rejection.
 */
const mayApprove = (text: string): boolean =>
  text === '' || (approvals.test(text) && !refusals.test(text));

const isBlank = (code: string): boolean => /^0*$/.test(code);

/**
 * Returns the decision about a debit. `decision` is 0 (approved) or 1 (rejected). If it disagrees
 * with the codes or texts, the result is unclear, so that no money is booked on a guess.
 */
function creditDecision(line: ValuesOf<Credit>): Decision {
  const pairs = [
    { code: line.code, text: withoutSpaces(line.description) },
    { code: line.second_code, text: withoutSpaces(line.second_description) },
  ];
  const coded = pairs.filter(({ code }) => !isBlank(code));
  const reasons = coded.length > 0 ? coded : pairs.filter(({ text }) => text !== '');
  const reason = { code: coded[0]?.code ?? '', text: reasons.map(({ text }) => text).join('; ') };
  if (line.decision === '1' && coded.length > 0) return { outcome: 'rejected', ...reason };
  const isApproved = line.decision === '0' && coded.length === 0 && mayApprove(reason.text);
  return { outcome: isApproved ? 'approved' : 'unclear', ...reason };
}

function creditItem(
  line: ValuesOf<Credit>,
  { establishment, today, date }: Header,
  refuse: RefuseField<Credit>,
): DebitItem {
  if (line.establishment !== establishment) {
    refuse('establishment', `${establishment}, as in the header`);
  }
  if (line.amount === 0) refuse('amount', 'an amount above zero');
  const answeredOn = line.answered_on ?? date;
  if (isFuture(answeredOn, today)) refuse('answered_on', notFuture(today));
  const on = line.paid_on ?? answeredOn;
  return {
    news: newsOf(line, creditDecision(line), isFuture(on, today) ? answeredOn : on),
    reference: line.reference,
    mandate: '',
    amount: line.amount,
    replacement: cardOf(line.new_card),
  };
}

function debitDecision({ code, description }: ValuesOf<Debit>): Decision {
  const reason = { code, text: withoutSpaces(description) };
  if (!isBlank(code)) return { outcome: 'rejected', ...reason };
  return { outcome: mayApprove(reason.text) ? 'approved' : 'unclear', ...reason };
}

function debitItem(line: ValuesOf<Debit>, { date }: Header, refuse: RefuseField<Debit>): DebitItem {
  if (line.amount === 0) refuse('amount', 'an amount above zero');
  return {
    news: newsOf(line, debitDecision(line), date),
    reference: line.reference,
    mandate: '',
    amount: line.amount,
    replacement: null,
  };
}

/**
 * Masks long digits in error messages about card fields or misplaced lines, because they may be a
 * card number.
 */
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
