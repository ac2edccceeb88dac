import PDFDocument from 'pdfkit';
import { formatDay } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import {
  bodyStyle,
  contentWidth,
  labelStyle,
  margin,
  page,
  rule,
  smallStyle,
  strongStyle,
} from '../../platform/documents/page-style.ts';
import {
  leading,
  printLine,
  printLines,
  type Style,
  wrap,
} from '../../platform/documents/page-text.ts';
import { cuitText, momentText, moneyText } from '../../platform/pages/format.ts';
import type { AccountVisit, Answer } from '../frame/index.ts';
import { lineName, type StatementModel, statementName } from './statement-model.ts';
import { statementTexts } from './statement-texts.ts';

const titleStyle: Style = { font: 'Helvetica-Bold', size: 17 };
const issuerStyle: Style = { font: 'Helvetica-Bold', size: 12 };
const indent = 14;
const lineHeight = leading(bodyStyle) + 3;

/** A line of the document: a name, an amount, and how heavy both are. */
interface PrintedLine {
  name: string;
  amount: string;
  style: Style;
  indent?: number;
  /** A line across above it. */
  ruled?: boolean;
  note?: string;
}

function linesOf({ lang }: AccountVisit, { statement }: StatementModel): PrintedLine[] {
  const texts = statementTexts[lang];
  const money = (amount: Centavos): string => moneyText(lang, amount).replaceAll('\u00a0', ' ');
  const balance = (name: string, of: typeof statement.opening): PrintedLine => ({
    name,
    amount: money(of.total),
    style: strongStyle,
    ruled: true,
    note: texts.split(money(of.available), money(of.unavailable)),
  });
  return [
    balance(texts.opening, statement.opening),
    ...statement.groups.flatMap(({ group, amount, lines }): PrintedLine[] => [
      { name: texts.groups[group], amount: money(amount), style: strongStyle, ruled: true },
      ...lines.map((line) => ({
        name: lineName(lang, group, line),
        amount: money(line.amount),
        style: bodyStyle,
        indent,
      })),
    ]),
    { name: texts.moved, amount: money(statement.moved), style: strongStyle, ruled: true },
    balance(texts.closing, statement.closing),
  ];
}

function drawHead(pdf: PDFKit.PDFDocument, visit: AccountVisit, model: StatementModel): number {
  const { lang, account } = visit;
  const { from, to } = model.statement;
  const texts = statementTexts[lang];
  const holder = wrap(pdf, account.name, contentWidth, issuerStyle, 2);
  let y = printLines(pdf, holder, margin, margin, issuerStyle) + 2;
  printLine(pdf, `CUIT ${cuitText(account.cuit)} · ${account.id}`, margin, y, smallStyle);
  y += leading(smallStyle) + 10;
  rule(pdf, y, 1.5);
  y = printLines(pdf, [statementName(lang, model.month)], margin, y + 20, titleStyle) + 2;
  printLine(pdf, texts.days(formatDay(from), formatDay(to)), margin, y, bodyStyle);
  y += leading(bodyStyle) + 14;
  printLine(pdf, texts.concept, margin, y, labelStyle);
  printLine(pdf, texts.amount, page.width - margin, y, labelStyle, 'end');
  return y + leading(labelStyle) + 2;
}

function drawLine(pdf: PDFKit.PDFDocument, line: PrintedLine, y: number): number {
  if (line.ruled) rule(pdf, y, 0.4, '#999');
  const top = y + 4;
  printLine(pdf, line.name, margin + (line.indent ?? 0), top, line.style);
  printLine(pdf, line.amount, page.width - margin, top, line.style, 'end');
  if (line.note === undefined) return y + lineHeight;
  printLine(pdf, line.note, margin, top + leading(line.style), smallStyle);
  return y + lineHeight + leading(smallStyle);
}

const lowest = page.height - margin - 3 * leading(smallStyle);

/** A month's statement as a PDF: the same figures as the page. */
export async function statementFile(
  visit: AccountVisit,
  model: StatementModel & { now: Temporal.Instant },
): Promise<Answer> {
  const { lang, account } = visit;
  const texts = statementTexts[lang];
  const title = statementName(lang, model.month);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: lang === 'es' ? 'es-AR' : 'en',
    displayTitle: true,
    info: {
      Title: title,
      Author: account.name.toWellFormed(),
      Creator: 'Recaudo',
      Producer: 'Recaudo',
      // pdfkit knows only Date; the moment comes from the clock of the service.
      CreationDate: new Date(model.now.epochMilliseconds),
    },
  });
  const chunks = Array.fromAsync(pdf as AsyncIterable<Buffer>);
  let y = drawHead(pdf, visit, model);
  for (const line of linesOf(visit, model)) {
    if (y + 2 * lineHeight > lowest) {
      pdf.addPage();
      y = margin;
    }
    y = drawLine(pdf, line, y);
  }
  rule(pdf, y, 0.4, '#999');
  const foot = [texts.evenly, texts.issued(momentText(lang, model.now))];
  printLines(pdf, foot, margin, y + 10, smallStyle);
  pdf.end();
  return {
    file: Buffer.concat(await chunks),
    type: 'application/pdf',
    name: `statement-${account.id}-${model.month}.pdf`,
  };
}
