import { parse } from 'csv-parse/sync';
import { parseCardNumber } from '../../../kernel/card-number.ts';
import { compareDays, parseIsoDay } from '../../../kernel/dates.ts';
import { parseAmount } from '../../../kernel/money.ts';
import { firstLetters, printable } from '../../../kernel/text.ts';
import { isFuture, notFuture } from '../../files/days.ts';
import { misplaced } from '../../files/fault.ts';
import type { LineReader } from '../../files/format.ts';
import type { DebitItem, DebitNews, InboundDebits } from '../debit.ts';
import { type AnswerColumn, answerColumns, type Encoding } from './columns.ts';

type Answer = Record<AnswerColumn, string>;

function cellsIn(line: string): string[] | null {
  // A parser per line is slow.
  if (!line.includes('"')) return line.split(',');
  try {
    const [cells] = parse(line, { to: 1 }) as string[][];
    return cells ?? null;
  } catch {
    return null;
  }
}

function membersOfCsv(line: string): Answer | null {
  const cells = cellsIn(line);
  if (cells?.length !== answerColumns.length) return null;
  return Object.fromEntries(
    answerColumns.map((column, index) => [column, printable((cells[index] ?? '').trim())]),
  ) as Answer;
}

function membersOfJson(line: string): Answer | null {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const members = value as Record<string, unknown>;
    return Object.fromEntries(
      answerColumns.map((column) => [column, printable(String(members[column] ?? '').trim())]),
    ) as Answer;
  } catch {
    return null;
  }
}

/**
 * Builds the fault of a value. Masks all digits but the last four, because it may be a card's
 * number.
 */
const wrong = (found: string, expected: string) =>
  misplaced(found.replace(/\d(?=\d{4})/g, '*'), expected);

function newsOf(answer: Answer, on: Temporal.PlainDate, amount: DebitItem['amount']): DebitNews {
  const { outcome, code, text } = answer;
  if (outcome === 'paid' && !/^0*$/.test(code)) {
    return { type: 'unclear', comment: `Paid, with the code ${code.slice(0, 20)} of a rejection.` };
  }
  if (outcome === 'paid') return { type: 'paid', amount, on };
  if (outcome === 'reversed') {
    return { type: 'reversed', comment: text === '' ? 'Reversed by the holder.' : text };
  }
  if (outcome !== 'rejected') throw wrong(outcome, 'an outcome: paid, rejected or reversed');
  if (!/^[!-~]{1,20}$/.test(code)) throw wrong(code, 'the code of the rejection');
  return { type: 'rejected', code, text: firstLetters(text, 255), on };
}

function itemOf(answer: Answer, today: Temporal.PlainDate): DebitItem & { on: Temporal.PlainDate } {
  const { reference, date, new_card_number: card } = answer;
  if (!/^\d{15}$/.test(reference)) throw wrong(reference, 'a reference of 15 digits');
  const amount = parseAmount(answer.amount);
  if (!amount.ok || amount.value <= 0) throw wrong(answer.amount, 'an amount such as 1430.50');
  const on = parseIsoDay(date);
  if (!on) throw wrong(date, 'a date as yyyy-mm-dd');
  if (isFuture(on, today)) throw wrong(date, notFuture(today));
  if (card !== '' && !parseCardNumber(card).ok) throw wrong('a number', 'the number of a new card');
  return {
    on,
    news: newsOf(answer, on, amount.value),
    reference,
    mandate: '',
    amount: amount.value,
    replacement: card === '' ? null : { type: 'card', number: card },
  };
}

/** Reads answers line by line. The file's date is the latest date of its lines. */
function reader(encoding: Encoding, today: Temporal.PlainDate): LineReader<DebitItem> {
  const membersOf = encoding === 'csv' ? membersOfCsv : membersOfJson;
  const heading = answerColumns.join(',');
  let awaitsHeading = encoding === 'csv';
  let latest: Temporal.PlainDate | null = null;
  return {
    read(line) {
      if (awaitsHeading) {
        if (line.trim() !== heading) throw wrong(line, `the columns ${heading}`);
        awaitsHeading = false;
        return null;
      }
      const members = membersOf(line);
      if (!members) throw wrong(line, encoding === 'csv' ? heading : 'an object of JSON');
      const { on, ...item } = itemOf(members, today);
      if (!latest || compareDays(on, latest) > 0) latest = on;
      return item;
    },
    end() {
      if (!latest) throw wrong('', 'a line with an answer');
      return { date: latest };
    },
  };
}

const inbound = (encoding: Encoding): InboundDebits => ({
  name: `cards-${encoding}-answers`,
  title: `results of card debits by exchange file, ${encoding === 'csv' ? 'CSV' : 'JSON lines'}`,
  kind: 'card_debit_request',
  createReader: ({ today }) => reader(encoding, today),
});

export const cardsCsvAnswers = inbound('csv');
export const cardsJsonAnswers = inbound('json');
