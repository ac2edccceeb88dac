import { type CloseBooks, isClosed, readStatement } from '../../money/ledger/index.ts';
import type { Base } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { ReadSubject } from '../../platform/replica/reads.ts';
import {
  type SheetFormat,
  sheetFormats,
  writeTable,
} from '../../platform/spreadsheets/write/table.ts';
import {
  type ReportName,
  readAllPeriodTotals,
  readPeriodTotals,
  readReportRows,
  reportNames,
  reportPieces,
} from '../../reports/index.ts';
import { type AccountVisit, type Portal, portalRefusal } from '../frame/index.ts';
import { fileColumns, requestIdOf } from './columns.ts';
import { closePast, daysOfMonth, monthIn, periodIn } from './period.ts';
import { placeIn, rowsAtOnce } from './places.ts';
import { requestPaths } from './request-links.ts';
import { statementPage } from './statement.tsx';
import { statementFile } from './statement-document.ts';
import { reportTexts } from './texts.ts';
import { reportPage, reportsPage } from './views.tsx';

export interface ReportPageParts {
  base: Pick<Base, 'reads'>;
  clocks: Clocks;
  closeBooks: CloseBooks;
}

const nameIn = ({ params }: AccountVisit): ReportName => {
  const name = reportNames.find((one) => one === params.name);
  if (name === undefined) throw portalRefusal('page.not_found', {});
  return name;
};

const formatIn = ({ query }: AccountVisit): SheetFormat => {
  const format = sheetFormats.find((one) => one === query.get('format'));
  if (format === undefined) throw portalRefusal('page.not_found', {});
  return format;
};

/** Serves reports by period, as totals, rows and files, and the monthly statement. */
export function reportPages(portal: Portal, { base, clocks, closeBooks }: ReportPageParts): void {
  async function periodOf(visit: AccountVisit) {
    const today = clocks.business.today();
    const period = periodIn(visit.query, today, visit.lang);
    const past = await closePast(closeBooks, today, period.period.to);
    return { today, chosen: period, subject: subjectOf(visit, past) };
  }

  /**
   * Returns the writes that a replica must have received to answer. Closed books suffice, because
   * later writes do not change past days.
   */
  const subjectOf = ({ account }: AccountVisit, past: Temporal.PlainDate | null): ReadSubject => ({
    accountId: account.id,
    ...(past && { holds: (sql: Queryable) => isClosed(sql, past) }),
  });

  async function statementOf(visit: AccountVisit) {
    const today = clocks.business.today();
    const month = monthIn(visit.query, today);
    const days = daysOfMonth(month, today);
    const past = await closePast(closeBooks, today, days.to);
    const statement = await base.reads.read(subjectOf(visit, past), ({ sql }) =>
      readStatement(sql, visit.account.id, days),
    );
    return { today, month, statement };
  }

  portal.page({
    act: 'reports.see',
    path: '/reports',
    async read(visit) {
      const { today, chosen, subject } = await periodOf(visit);
      const scope = { accountId: visit.account.id, ...chosen.period };
      const totals = await base.reads.read(subject, ({ sql }) => readAllPeriodTotals(sql, scope));
      return reportsPage(visit, { today, chosen, totals });
    },
  });
  portal.page({
    act: 'reports.see',
    path: '/reports/statement',
    read: async (visit) => statementPage(visit, await statementOf(visit)),
  });
  portal.page({
    act: 'reports.see',
    path: '/reports/statement.pdf',
    async read(visit) {
      const { month, statement } = await statementOf(visit);
      return await statementFile(visit, { month, statement, now: clocks.business.now() });
    },
  });
  portal.page({
    act: 'reports.see',
    path: '/reports/:name',
    async read(visit) {
      const name = nameIn(visit);
      const { today, chosen, subject } = await periodOf(visit);
      const { accountId } = subject;
      const page = { behind: placeIn(visit.query), limit: rowsAtOnce + 1 };
      const { totals, rows, paths } = await base.reads.read(subject, async ({ sql }) => {
        const totals = await readPeriodTotals(sql, name, { accountId, ...chosen.period });
        const rows = await readReportRows(sql, name, { accountId, days: totals.days }, page);
        const ids = rows.flatMap(({ cells }) => requestIdOf(name, cells) ?? []);
        return { totals, rows, paths: await requestPaths(sql, accountId, ids) };
      });
      return reportPage(visit, { name, today, chosen, totals, rows, paths });
    },
  });
  portal.page({
    act: 'reports.see',
    path: '/reports/:name/file',
    async read(visit) {
      const [name, format] = [nameIn(visit), formatIn(visit)];
      const { chosen, subject } = await periodOf(visit);
      if (chosen.faults.length > 0) throw portalRefusal('page.query_invalid', {});
      const { from, to } = chosen.period;
      const { accountId } = subject;
      const read = <T>(work: (sql: Queryable) => Promise<T>): Promise<T> =>
        base.reads.read(subject, ({ sql }) => work(sql));
      const { days } = await read((sql) => readPeriodTotals(sql, name, { accountId, from, to }));
      return writeTable({
        format,
        name: `${name}-${from}${from.equals(to) ? '' : `-${to}`}`,
        title: reportTexts[visit.lang].reports[name],
        columns: fileColumns(name, visit.lang),
        asInArgentina: visit.lang === 'es',
        pieces: reportPieces(read, name, { accountId, days }),
      });
    },
  });
}
