import {
  type AcquirerDebt,
  type Judged,
  type LineFault,
  type PayoutRow,
  unexplainedOf,
} from '../../../money/settlements/index.ts';
import { EmptyState, Facts, Pager, Section } from '../../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../../platform/pages/components/table.tsx';
import { countText, dayText, moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { settlementTexts } from './texts.ts';

export const rowsAtOnce = 50;

function OwedTable({ lang, rows }: { lang: Lang; rows: readonly AcquirerDebt[] }) {
  const texts = settlementTexts[lang];
  return (
    <Section id="owed" title={texts.owed}>
      <Table
        lang={lang}
        caption={texts.owed}
        captionUnseen
        rows={rows}
        columns={[
          { key: 'connector', title: texts.connector, heads: true, cell: (row) => row.connector },
          { key: 'day', title: texts.day, cell: (row) => dayText(lang, row.day) },
          {
            key: 'charges',
            title: texts.charges,
            number: true,
            cell: (row) => countText(lang, row.charges),
          },
          {
            key: 'amount',
            title: texts.amount,
            number: true,
            cell: (row) => moneyText(lang, row.amount),
          },
        ]}
        empty={<EmptyState title={texts.owedEmpty} />}
      />
    </Section>
  );
}

const payoutColumns = ({ lang, at }: ServiceVisit): TableColumn<PayoutRow>[] => {
  const texts = settlementTexts[lang];
  const money = (key: string, title: string, of: (row: PayoutRow) => PayoutRow['net']) => ({
    key,
    title,
    number: true,
    cell: (row: PayoutRow) => moneyText(lang, of(row)),
  });
  return [
    {
      key: 'name',
      title: texts.payout,
      heads: true,
      cell: ({ id, name }) => <a href={at(`/settlements/${id}`)}>{name}</a>,
    },
    { key: 'connector', title: texts.connector, cell: (row) => row.connector },
    { key: 'paid_on', title: texts.paidOn, cell: (row) => dayText(lang, row.paid_on) },
    money('paid', texts.paid, ({ net }) => net),
    money('gross', texts.gross, ({ gross }) => gross),
    money('fee', texts.fee, ({ fee }) => fee),
    {
      key: 'difference',
      title: texts.difference,
      number: true,
      cell: (row) =>
        row.compared_at === null ? texts.pending : moneyText(lang, unexplainedOf(row)),
    },
  ];
};

/**
 * Renders payouts, latest first. `rows` contains one more than the page shows, to detect a next
 * page.
 */
export function listPage(
  visit: ServiceVisit,
  { rows, owed }: { rows: readonly PayoutRow[]; owed: readonly AcquirerDebt[] },
): Page {
  const { lang, at, query } = visit;
  const texts = settlementTexts[lang];
  const pageRows = rows.slice(0, rowsAtOnce);
  const last = rows.length > rowsAtOnce ? pageRows.at(-1) : undefined;
  const here = at('/settlements');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        <OwedTable lang={lang} rows={owed} />
        <Table
          lang={lang}
          caption={texts.title}
          rows={pageRows}
          columns={payoutColumns(visit)}
          empty={<EmptyState title={texts.empty} text={texts.emptyWhy} />}
        />
        <Pager
          lang={lang}
          first={query.has('before') ? here : undefined}
          next={last && `${here}?before=${last.id}`}
        />
      </>
    ),
  };
}

const whyOf = (lang: Lang, { code, listed, recorded }: LineFault): string =>
  settlementTexts[lang].whys[code]({
    listed: moneyText(lang, listed),
    recorded: moneyText(lang, recorded),
  });

const lineColumns = (lang: Lang): TableColumn<Judged>[] => {
  const texts = settlementTexts[lang];
  return [
    { key: 'line', title: texts.line, heads: true, cell: ({ line }) => <bdi>{line.name}</bdi> },
    { key: 'kind', title: texts.kind, cell: ({ line }) => texts.kinds[line.kind] },
    {
      key: 'charge',
      title: texts.charge,
      cell: ({ line }) => <bdi>{line.attempt ?? line.trx ?? '—'}</bdi>,
    },
    {
      key: 'gross',
      title: texts.gross,
      number: true,
      cell: ({ line }) => moneyText(lang, line.gross),
    },
    { key: 'fee', title: texts.fee, number: true, cell: ({ line }) => moneyText(lang, line.fee) },
    {
      key: 'recorded',
      title: texts.recorded,
      number: true,
      cell: ({ charge }) => (charge?.collected ? moneyText(lang, charge.collected.amount) : '—'),
    },
    {
      key: 'why',
      title: texts.why,
      cell: ({ judgement }) =>
        'fault' in judgement
          ? whyOf(lang, judgement.fault)
          : judgement.is === 'elsewhere'
            ? texts.elsewhere
            : '—',
    },
  ];
};

/** Renders a payout with its lines, compared with the current books. */
export function onePage(
  visit: ServiceVisit,
  { payout, lines }: { payout: PayoutRow; lines: readonly Judged[] },
): Page {
  const { lang, at, query } = visit;
  const texts = settlementTexts[lang];
  const here = at(`/settlements/${payout.id}`);
  const pageLines = lines.slice(0, rowsAtOnce);
  const last = lines.length > rowsAtOnce ? pageLines.at(-1) : undefined;
  const money = (amount: PayoutRow['net']) => moneyText(lang, amount);
  return {
    title: texts.one({ name: payout.name }),
    body: (
      <>
        <PageHead
          title={texts.one({ name: payout.name })}
          up={{ href: at('/settlements'), label: texts.title }}
        />
        <Facts
          items={[
            [texts.connector, payout.connector],
            [texts.paidOn, dayText(lang, payout.paid_on)],
            [texts.paid, money(payout.net)],
            [texts.net, money(payout.listed)],
            [texts.gross, money(payout.gross)],
            [texts.fee, money(payout.fee)],
            [texts.recorded, money(payout.matched)],
            [texts.elsewhere, money(payout.elsewhere)],
            [
              texts.difference,
              payout.compared_at === null ? texts.pending : money(unexplainedOf(payout)),
            ],
            [texts.faults, countText(lang, payout.faults)],
          ]}
        />
        <Table
          lang={lang}
          caption={texts.lines}
          rows={pageLines}
          columns={lineColumns(lang)}
          empty={null}
        />
        <Pager
          lang={lang}
          first={query.has('after') ? here : undefined}
          next={last && `${here}?after=${encodeURIComponent(last.line.name)}`}
        />
      </>
    ),
  };
}
