import { rejectCodeOf } from '../../../debit-requests/index.ts';
import type { ValuesOf } from '../../../kernel/fixed-width.ts';
import { decimalText, zero } from '../../../kernel/money.ts';
import { isFuture, notFuture } from '../../files/days.ts';
import { endsEarly } from '../../files/envelope.ts';
import {
  counted,
  decodeLine,
  LineFault,
  misplaced,
  type RefuseField,
  refuseFields,
} from '../../files/fault.ts';
import type { LayoutOf } from '../../files/fields.ts';
import { configured, type LineReader } from '../../files/format.ts';
import type { DebitItem, DebitNews, DebitRailTerms, InboundDebits } from '../debit.ts';
import { cbuOfNewAccount } from './account.ts';
import { answer, answerHeader } from './layout.ts';

type Header = ValuesOf<LayoutOf<typeof answerHeader>>;
type Answer = ValuesOf<LayoutOf<typeof answer>>;
type Refuse = RefuseField<LayoutOf<typeof answer>>;

/** The day of the file's header, and the business day. */
type Days = { date: Temporal.PlainDate; today: Temporal.PlainDate };

const noCode = /^0*$/;
const anyCode = /^R?(\d{1,4})$/;

/**
 * Converts the bank's number, such as 0004, to the clearing's code, such as R04. Returns null for
 * other texts.
 */
function codeOf(bankCode: string): string | null {
  const [, number] = anyCode.exec(bankCode) ?? [];
  if (number === undefined || Number(number) > 99) return null;
  return `R${String(Number(number)).padStart(2, '0')}`;
}

function newsOf(line: Answer, { date, today }: Days, refuse: Refuse): DebitNews {
  const bankCode = line.reject_code;
  if (!noCode.test(bankCode)) {
    const code = codeOf(bankCode);
    if (code === null) return { type: 'unclear', comment: `Unknown reject code ${bankCode}.` };
    return { type: 'rejected', code, text: rejectCodeOf(code, '').text, on: date };
  }
  if (line.due === null) return refuse('due', 'the day of the debit');
  if (isFuture(line.due, today)) refuse('due', notFuture(today));
  return { type: 'paid', amount: line.debited ?? line.amount, on: line.due };
}

function itemOf(line: Answer, days: Days, refuse: Refuse): DebitItem {
  if (line.amount === 0) refuse('amount', 'an amount above zero');
  const { account, new_account: moved } = line;
  const cbu = /^[0 ]*$/.test(moved) ? null : (cbuOfNewAccount(account, moved) ?? moved);
  return {
    news: newsOf(line, days, refuse),
    reference: line.reference,
    mandate: line.customer,
    amount: line.amount,
    replacement: cbu === null ? null : { type: 'cbu', cbu },
  };
}

type CollectorFields = { agreement: string; service: string };

/** Checks the collector's fields, which header and details share. */
function checkCollector(
  { agreement, service }: CollectorFields,
  { macroAgreement, macroService }: DebitRailTerms,
  refuse: (field: keyof CollectorFields, expected: string) => never,
): void {
  const ours = configured(macroAgreement, 'MACRO_AGREEMENT');
  if (agreement !== ours) refuse('agreement', `${ours} (MACRO_AGREEMENT)`);
  if (service.toUpperCase() !== macroService.toUpperCase())
    refuse('service', `\`${macroService}\` (MACRO_SERVICE)`);
}

/** Creates the reader of this bank's files, which have the sum in the header and no trailer. */
function createReader(terms: DebitRailTerms): LineReader<DebitItem> {
  const { today } = terms;
  let header: Header | null = null;
  let sum = zero;

  const readHeader = (line: string): Header => {
    const values = decodeLine(answerHeader, line);
    const refuse = refuseFields(answerHeader, line);
    if (isFuture(values.date, today)) refuse('date', notFuture(today));
    checkCollector(values, terms, refuse);
    return values;
  };

  return {
    read(line) {
      const isHeader = line.startsWith('1');
      if (header === null) {
        if (!isHeader) throw misplaced(line, 'the header first');
        header = readHeader(line);
        return null;
      }
      if (isHeader) throw misplaced(line, 'one header only');
      const values = decodeLine(answer, line);
      const refuse = refuseFields(answer, line);
      checkCollector(values, terms, refuse);
      const item = itemOf(values, { date: header.date, today }, refuse);
      sum = counted(sum, item.amount);
      return item;
    },
    end() {
      if (header === null) throw endsEarly('the header');
      const { date, total } = header;
      if (sum !== total) {
        throw new LineFault({
          from: 1,
          to: 1,
          field: null,
          found: `the end, after amounts of ${decimalText(sum)}`,
          expected: `amounts of ${decimalText(total)}, the total of the header`,
        });
      }
      return { date };
    },
  };
}

export const directDebit220Answers: InboundDebits = {
  name: 'direct-debit-220',
  title: 'bank direct debit, 220 characters',
  kind: 'debit_request',
  createReader,
};
