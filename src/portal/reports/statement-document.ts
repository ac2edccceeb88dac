import { formatDay } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import { jobsInThread } from '../../platform/drawing/thread.ts';
import { cuitText, momentText, moneyText } from '../../platform/pages/format.ts';
import type { AccountVisit, Answer } from '../frame/index.ts';
import { lineName, type StatementModel, statementName } from './statement-model.ts';
import type { jobs, PrintedLine, StatementDocument } from './statement-pdf.ts';
import { statementTexts } from './statement-texts.ts';

function linesOf({ lang }: AccountVisit, { statement }: StatementModel): PrintedLine[] {
  const texts = statementTexts[lang];
  const money = (amount: Centavos): string => moneyText(lang, amount).replaceAll('\u00a0', ' ');
  const strong = { strong: true, ruled: true };
  const balance = (name: string, of: typeof statement.opening): PrintedLine => ({
    name,
    amount: money(of.total),
    ...strong,
    note: texts.split({ available: money(of.available), unavailable: money(of.unavailable) }),
  });
  return [
    balance(texts.opening, statement.opening),
    ...statement.groups.flatMap(({ group, amount, lines }): PrintedLine[] => [
      { name: texts.groups[group], amount: money(amount), ...strong },
      ...lines.map((line) => ({
        name: lineName(lang, group, line),
        amount: money(line.amount),
      })),
    ]),
    { name: texts.moved, amount: money(statement.moved), ...strong },
    balance(texts.closing, statement.closing),
  ];
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const drawApart = jobsInThread<typeof jobs>(
  new URL(`./statement-pdf.${extension}`, import.meta.url),
);

/** Renders a monthly statement as a PDF with the page's figures. */
export async function statementFile(
  visit: AccountVisit,
  model: StatementModel & { now: Temporal.Instant },
): Promise<Answer> {
  const { lang, account } = visit;
  const { from, to } = model.statement;
  const texts = statementTexts[lang];
  const document: StatementDocument = {
    lang,
    title: statementName(lang, model.month),
    holder: account.name,
    about: `CUIT ${cuitText(account.cuit)} · ${account.id}`,
    days: texts.days({ from: formatDay(from), to: formatDay(to) }),
    concept: texts.concept,
    amount: texts.amount,
    lines: linesOf(visit, model),
    foot: [texts.evenly, texts.issued({ moment: momentText(lang, model.now) })],
    issuedMs: model.now.epochMilliseconds,
  };
  return {
    file: await drawApart({ account: account.id }, 'statement', JSON.stringify(document)),
    type: 'application/pdf',
    name: `statement-${account.id}-${model.month}.pdf`,
  };
}
