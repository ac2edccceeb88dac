import { formatDay } from '../../kernel/dates.ts';
import { centavos } from '../../kernel/money.ts';
import { textAt } from '../../language/catalog.ts';
import { BarChart } from '../../platform/pages/components/bar-chart.tsx';
import { EmptyState, Figures, Pager, Section } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { moneyText, shortMoneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import {
  type Cells,
  type PeriodTotals,
  type ReportName,
  type ReportRow,
  reportNames,
} from '../../reports/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { columnViews, requestIdOf } from './columns.ts';
import { chartParts, totalFigures } from './figures.ts';
import { type PeriodQuery, periodQuery } from './period.ts';
import { PeriodChoice } from './period-choice.tsx';
import { behind, rowsAtOnce } from './places.ts';
import { statementTexts } from './statement-texts.ts';
import { reportTexts } from './texts.ts';

interface OverviewModel {
  today: Temporal.PlainDate;
  chosen: PeriodQuery;
  totals: ReadonlyMap<ReportName, PeriodTotals>;
}

export function reportsPage(visit: AccountVisit, { today, chosen, totals }: OverviewModel): Page {
  const { lang, at } = visit;
  const texts = reportTexts[lang];
  const query = periodQuery(chosen.period);
  const rows = reportNames.map((name) => {
    const of = totals.get(name);
    const figures = of ? totalFigures(visit, name, of, chosen.period) : [];
    return { name, main: name === 'collection' ? figures[0] : figures.at(-1) };
  });
  return {
    title: texts.title,
    status: chosen.faults.length > 0 ? 400 : 200,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <a class="button button-quiet" href={at('/reports/statement')}>
              {statementTexts[lang].title}
            </a>
          }
        />
        <PeriodChoice lang={lang} action={at('/reports')} today={today} choice={chosen} />
        <Table
          lang={lang}
          caption={texts.totals}
          captionUnseen
          columns={[
            {
              key: 'name',
              title: texts.title,
              heads: true,
              cell: ({ name }) => (
                <a href={`${at(`/reports/${name}`)}?${query}`}>{texts.reports[name]}</a>
              ),
            },
            { key: 'about', title: texts.details, cell: ({ name }) => texts.about[name] },
            {
              key: 'amount',
              title: texts.figures.amount ?? '',
              number: true,
              cell: ({ main }) => (main ? moneyText(lang, main.amount) : ''),
            },
          ]}
          rows={rows}
          empty={null}
        />
      </>
    ),
  };
}

interface ReportModel extends Omit<OverviewModel, 'totals'> {
  name: ReportName;
  totals: PeriodTotals;
  /** One more than the page shows, to detect a next page. */
  rows: readonly ReportRow[];
  /** Paths of the rows' requests, by request id. */
  paths: ReadonlyMap<number, string>;
}

export function reportPage(visit: AccountVisit, model: ReportModel): Page {
  const { lang, at, query } = visit;
  const { name, today, chosen, totals, rows } = model;
  const texts = reportTexts[lang];
  const here = at(`/reports/${name}`);
  const pageRows = rows.slice(0, rowsAtOnce);
  const last = rows.length > rowsAtOnce ? pageRows.at(-1) : undefined;
  const period = periodQuery(chosen.period);
  return {
    title: texts.reports[name],
    status: chosen.faults.length > 0 ? 400 : 200,
    body: (
      <>
        <PageHead
          title={texts.reports[name]}
          lead={texts.about[name]}
          up={{ href: `${at('/reports')}?${period}`, label: texts.title }}
        />
        <PeriodChoice lang={lang} action={here} today={today} choice={chosen} />
        <Section title={texts.totals} id="totals">
          <Figures
            items={totalFigures(visit, name, totals, chosen.period).map((figure) => ({
              label: textAt(texts.figures, figure.key) ?? figure.key,
              value: moneyText(lang, figure.amount),
              ...(figure.rows !== undefined && { note: texts.rows({ count: figure.rows }) }),
              ...(figure.href !== undefined && { href: figure.href }),
            }))}
          />
        </Section>
        {totals.days.length > 0 && totals.parts.length > 1 && (
          <PartsChart lang={lang} name={name} totals={totals} />
        )}
        <Section title={texts.details} id="rows" actions={<Files {...{ visit, name, period }} />}>
          <Table
            lang={lang}
            caption={texts.reports[name]}
            captionUnseen
            columns={rowColumns(visit, model)}
            rows={pageRows}
            empty={<EmptyState title={texts.none} text={texts.noneWhy} />}
          />
          <Pager
            lang={lang}
            first={query.has('behind') ? `${here}?${period}` : undefined}
            next={last && `${here}?${period}&${behind({ day: last.day, ...last.place })}`}
          />
        </Section>
      </>
    ),
  };
}

function Files({ visit, name, period }: { visit: AccountVisit; name: ReportName; period: string }) {
  const file = `${visit.at(`/reports/${name}/file`)}?${period}&format=`;
  const { download, reports } = reportTexts[visit.lang];
  return (
    <div class="actions">
      {(['xlsx', 'csv'] as const).map((format) => (
        <a
          key={format}
          class="button button-quiet"
          href={file + format}
          aria-label={`${download} ${reports[name]} ${format.toUpperCase()}`}
        >
          {format.toUpperCase()}
        </a>
      ))}
    </div>
  );
}

type ChartProps = { lang: Lang; name: ReportName; totals: PeriodTotals };

function PartsChart({ lang, name, totals }: ChartProps) {
  const texts = reportTexts[lang];
  const chart = chartParts[name] as {
    keys: readonly string[];
    of: (figures: unknown) => { values: Record<string, number>; total: number };
  };
  return (
    <BarChart
      lang={lang}
      id="by-part"
      title={`${texts.reports[name]}: ${texts.byPart.toLowerCase()}`}
      description={texts.chart}
      series={chart.keys.map((key) => ({ key, label: textAt(texts.figures, key) ?? key }))}
      bars={totals.parts.map(({ from, to, figures }) => ({
        label: from.equals(to) ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`,
        short: from.equals(to) ? formatDay(from).slice(0, 5) : formatDay(from).slice(3),
        ...chart.of(figures),
      }))}
      barsAre={texts.part}
      totalIs={texts.figures.amount ?? ''}
      format={(value) => moneyText(lang, centavos(value))}
      formatShort={(value) => shortMoneyText(lang, value)}
    />
  );
}

function rowColumns(
  { lang, at, may }: AccountVisit,
  { name, paths }: Pick<ReportModel, 'name' | 'paths'>,
): TableColumn<ReportRow>[] {
  const linked = (cells: Cells, text: string) => {
    const path = paths.get(requestIdOf(name, cells) ?? 0);
    return path === undefined ? text : <a href={at(path)}>{text}</a>;
  };
  const columns = columnViews(name, lang).map(
    ({ member, title, kind, text }, index): TableColumn<ReportRow> => ({
      key: member,
      title,
      heads: index === 0,
      number: kind === 'amount' || kind === 'percent',
      cell: ({ cells }) => (
        <bdi>{member === 'request_id' ? linked(cells, text(cells)) : text(cells)}</bdi>
      ),
    }),
  );
  if (name !== 'settlement') return columns;
  const { journal } = reportTexts[lang];
  return [
    {
      key: 'journal',
      title: journal,
      heads: true,
      cell: ({ day, place }) => {
        const text = `${formatDay(day)} · ${place.id}`;
        return may('money.see') ? <a href={at(`/money/journals/${place.id}`)}>{text}</a> : text;
      },
    },
    ...columns.map((column) => ({ ...column, heads: false })),
  ];
}
