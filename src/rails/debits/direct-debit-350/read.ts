import { rejectCodeOf } from '../../../debit-requests/index.ts';
import type { ValuesOf } from '../../../kernel/fixed-width.ts';
import { decimalText } from '../../../kernel/money.ts';
import { compact, isFuture, notFuture } from '../../files/days.ts';
import { envelopeReader } from '../../files/envelope.ts';
import type { RefuseField } from '../../files/fault.ts';
import { cbuInClearing, type LayoutOf } from '../../files/fields.ts';
import { configured } from '../../files/format.ts';
import type { DebitItem, DebitNews, InboundDebits, Replacement } from '../debit.ts';
import { type AnswerType, answer, answerHeader, answerTrailer } from './layout.ts';

type Answer = ValuesOf<LayoutOf<typeof answer>>;
type Refuse = RefuseField<LayoutOf<typeof answer>>;

interface Reading {
  line: Answer;
  /** Day of the file's header. */
  date: Temporal.PlainDate;
  today: Temporal.PlainDate;
  refuse: Refuse;
}

/** Returns the comment for the bank's code, or the default. */
const commentOf = ({ reject_code: code }: Answer, otherwise: string): string =>
  code === null ? otherwise : `${code}: ${rejectCodeOf(code, otherwise).text}`;

const unclear = ({ reject_code: code }: Answer, done: string): DebitNews => ({
  type: 'unclear',
  comment: `${done}, with ${code === null ? 'no reject code' : `the reject code ${code}`}.`,
});

function paid({ line, date, today, refuse }: Reading): DebitNews {
  if (line.reject_code !== null) return unclear(line, 'Done');
  const collected = line.collected ?? line.amount;
  if (collected === 0) refuse('amount', 'an amount above zero');
  const on = line.collected_on ?? date;
  if (isFuture(on, today)) refuse('collected_on', notFuture(today));
  return { type: 'paid', amount: collected, on };
}

function rejected({ line, date }: Reading): DebitNews {
  const code = line.reject_code;
  if (code === null || !/^R\d\d$/.test(code)) {
    return unclear(line, 'Rejected');
  }
  return { type: 'rejected', code, text: rejectCodeOf(code, '').text, on: date };
}

const notice =
  (comment: string) =>
  ({ line }: Reading): DebitNews => ({ type: 'notice', comment: commentOf(line, comment) });

const ended =
  (comment: string) =>
  ({ line }: Reading): DebitNews => ({ type: 'mandate_ended', comment: commentOf(line, comment) });

const newsOf: Record<AnswerType, (reading: Reading) => DebitNews> = {
  '0370': paid,
  '0360': rejected,
  '0371': ({ line }) => ({
    type: 'reversed',
    comment: commentOf(line, 'Reversed by the holder at the bank.'),
  }),
  '0310': notice('The bank rejected a reversal.'),
  '0383': notice('An adhesion was made at the bank.'),
  '0362': ended('The bank rejected the adhesion.'),
  '0384': ended('Canceled by the holder at the bank.'),
  '0365': notice('The bank rejected a change of the customer id.'),
  '0386': () => ({ type: 'instrument_changed' }),
};

/**
 * Returns the new account, even if it is missing or invalid: the caller then reports it as
 * unusable.
 */
function replacementIn({ type, new_cbu: newCbu }: Answer): Replacement | null {
  if (newCbu === null) return type === '0386' ? { type: 'cbu', cbu: '' } : null;
  return { type: 'cbu', cbu: cbuInClearing(newCbu) ?? newCbu };
}

const itemOf = (reading: Reading): DebitItem => {
  const { line } = reading;
  return {
    news: newsOf[line.type](reading),
    reference: line.reference,
    mandate: line.customer,
    amount: line.amount,
    replacement: replacementIn(line),
  };
};

export const directDebit350Answers: InboundDebits = {
  name: 'direct-debit-350',
  title: 'bank direct debit, 350 characters',
  kind: 'debit_request',
  createReader: ({ directDebitService, today }) =>
    envelopeReader({
      kindOf(line) {
        if (line.startsWith('0000')) return 'header';
        return line.startsWith('9999') ? 'trailer' : 'detail';
      },
      header: answerHeader,
      checkHeader({ service, date }, refuse) {
        if (isFuture(date, today)) refuse('date', notFuture(today));
        const ours = configured(directDebitService, 'DIRECT_DEBIT_SERVICE');
        if (service !== ours) {
          refuse('service', `${ours} (DIRECT_DEBIT_SERVICE)`);
        }
      },
      detailOf: () => answer,
      item: (line, { date }, refuse) => itemOf({ line, date, today, refuse }),
      trailer: answerTrailer,
      checkTrailer({ service, date, count, total }, head, refuse) {
        if (service !== head.service) refuse('service', `${head.service}, as in the header`);
        if (!date.equals(head.date)) refuse('date', `${compact(head.date)}, as in the header`);
        if (count !== head.count) refuse('count', `${head.count}, as in the header`);
        if (total !== head.total) {
          refuse('total', `${decimalText(head.total)}, as in the header`);
        }
      },
    }),
};
