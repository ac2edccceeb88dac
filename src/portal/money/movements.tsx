import { formatDay } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { HolderFigure, Movement } from '../../money/ledger/index.ts';
import { EmptyState, Figures, Pager } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { moneyText, paidText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { behind, figurePaths, rowsAtOnce } from './places.ts';
import { causeText, moneyTexts } from './texts.ts';

interface MovementsModel {
  figure: HolderFigure;
  balance: Centavos;
  /** Shows movements up to the end of this day. Null shows all. */
  until: Temporal.PlainDate | null;
  /** One more than the page shows, to detect a next page. */
  movements: readonly Movement[];
}

export function movementsPage(visit: AccountVisit, model: MovementsModel): Page {
  const { lang, at, query } = visit;
  const { figure, balance, until, movements } = model;
  const texts = moneyTexts[lang];
  const pageRows = movements.slice(0, rowsAtOnce);
  const last = movements.length > rowsAtOnce ? pageRows.at(-1) : undefined;
  const here = at(figurePaths[figure]);
  const upTo = until === null ? '' : `until=${until}`;
  const title = texts.figures[figure];
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={until === null ? texts.about[figure] : texts.until({ day: formatDay(until) })}
          up={{ href: at('/money'), label: texts.title }}
        />
        <Figures items={[{ label: texts.balance, value: moneyText(lang, balance) }]} />
        <Table
          lang={lang}
          caption={texts.movements}
          columns={columnsFor(visit)}
          rows={pageRows}
          empty={<EmptyState title={texts.noMovements} />}
        />
        <Pager
          lang={lang}
          first={query.has('behind') ? `${here}?${upTo}` : undefined}
          next={last && `${here}${behind({ day: last.on_date, id: last.id })}&${upTo}`}
        />
      </>
    ),
  };
}

export function columnsFor({ lang, at }: AccountVisit): TableColumn<Movement>[] {
  const texts = moneyTexts[lang];
  return [
    {
      key: 'at',
      title: texts.when,
      heads: true,
      cell: (row) => <a href={at(`/money/journals/${row.id}`)}>{paidText(lang, row.at)}</a>,
    },
    { key: 'kind', title: texts.what, cell: ({ kind }) => texts.kinds[kind] },
    { key: 'of', title: texts.of, cell: (row) => causeText(lang, row) },
    {
      key: 'amount',
      title: texts.amount,
      number: true,
      cell: ({ amount }) => moneyText(lang, amount),
    },
  ];
}
