import type { ComponentChildren } from 'preact';
import { dayOf } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { HolderFigure } from '../../money/ledger/index.ts';
import type { PayoutRow } from '../../money/payouts/index.ts';
import type { Proposal } from '../../money/proposals/index.ts';
import {
  Badge,
  EmptyState,
  Figures,
  Pager,
  Section,
} from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { askPath, PayoutRequests } from './ask.tsx';
import { askTexts } from './ask-texts.ts';
import { behind, figurePaths, rowsAtOnce } from './places.ts';
import { moneyTexts } from './texts.ts';

interface MoneyModel {
  balances: Record<HolderFigure, Centavos>;
  payouts: readonly PayoutRow[];
  /** Payouts requested in the portal, the open one first. */
  requested: readonly Proposal[];
  /** The form that withdraws the open request. */
  withdraw: ComponentChildren;
}

export function moneyPage(
  visit: AccountVisit,
  { balances, payouts, requested, withdraw }: MoneyModel,
): Page {
  const { lang, at, may } = visit;
  const texts = moneyTexts[lang];
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <>
              {may('reports.see') && (
                <a class="button button-quiet" href={at('/reports')}>
                  {texts.reports}
                </a>
              )}
              {may('payouts.make') && (
                <a class="button" href={at(askPath)}>
                  {askTexts[lang].action}
                </a>
              )}
            </>
          }
        />
        <Figures
          items={(['available', 'unavailable'] as const).map((figure) => ({
            label: texts.figures[figure],
            value: moneyText(lang, balances[figure]),
            note: texts.about[figure],
            href: at(figurePaths[figure]),
          }))}
        />
        <PayoutRequests visit={visit} rows={requested} withdraw={withdraw} />
        <Section
          title={texts.payouts}
          id="payouts"
          actions={<a href={at('/money/payouts')}>{texts.allPayouts}</a>}
        >
          <Payouts lang={lang} rows={payouts} />
        </Section>
      </>
    ),
  };
}

export function payoutsPage(
  { lang, at, query }: AccountVisit,
  payouts: readonly PayoutRow[],
): Page {
  const texts = moneyTexts[lang];
  const pageRows = payouts.slice(0, rowsAtOnce);
  const last = payouts.length > rowsAtOnce ? pageRows.at(-1) : undefined;
  const here = at('/money/payouts');
  return {
    title: texts.payouts,
    body: (
      <>
        <PageHead title={texts.payouts} up={{ href: at('/money'), label: texts.title }} />
        <Payouts lang={lang} rows={pageRows} />
        <Pager
          lang={lang}
          first={query.has('behind') ? here : undefined}
          next={last && `${here}${behind({ day: dayOf(last.sent_at), id: last.id })}`}
        />
      </>
    ),
  };
}

/** Shows the last four digits, enough to distinguish accounts. */
const maskedCbu = (cbu: string): string => `···· ${cbu.slice(-4)}`;

function Payouts({ lang, rows }: { lang: Lang; rows: readonly PayoutRow[] }) {
  const texts = moneyTexts[lang];
  const columns: TableColumn<PayoutRow>[] = [
    { key: 'sent', title: texts.when, heads: true, cell: (row) => momentText(lang, row.sent_at) },
    {
      key: 'reference',
      title: texts.reference,
      cell: (row) => <bdi class="code">{row.reference}</bdi>,
    },
    { key: 'cbu', title: 'CBU', cell: (row) => maskedCbu(row.cbu) },
    { key: 'state', title: texts.state, cell: (row) => <PayoutState lang={lang} row={row} /> },
    {
      key: 'amount',
      title: texts.amount,
      number: true,
      cell: (row) => moneyText(lang, row.amount),
    },
  ];
  return (
    <Table
      lang={lang}
      caption={texts.payouts}
      captionUnseen
      columns={columns}
      rows={rows}
      empty={<EmptyState title={texts.noPayouts} text={texts.noPayoutsWhy} />}
    />
  );
}

function PayoutState({ lang, row }: { lang: Lang; row: PayoutRow }) {
  const texts = moneyTexts[lang];
  if (row.state === 'sent') return <Badge tone="good">{texts.sent}</Badge>;
  return (
    <>
      <Badge tone="bad">{texts.returned}</Badge> <bdi>{row.return_reason}</bdi>
    </>
  );
}
