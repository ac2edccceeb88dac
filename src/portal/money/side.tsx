import { formatDay } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Movement, Side } from '../../money/ledger/index.ts';
import { EmptyState, Figures, Pager } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { moneyText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { columnsFor } from './movements.tsx';
import { behind, rowsAtOnce } from './places.ts';
import { accountText, moneyTexts } from './texts.ts';

interface SideModel {
  side: Side;
  total: { amount: Centavos; lines: number };
  /** One more than the page shows, to detect a next page. */
  movements: readonly Movement[];
}

/** Renders the journals that make up a figure of a report or statement: one kind, some days. */
export function sidePage(visit: AccountVisit, { side, total, movements }: SideModel): Page {
  const { lang, at, path, query } = visit;
  const { kind, accounts, from, to } = side;
  const texts = moneyTexts[lang];
  const [account] = accounts;
  const title =
    accounts.length > 1 || account === undefined
      ? texts.kinds[kind]
      : `${texts.kinds[kind]} · ${accountText(lang, account)}`;
  const pageRows = movements.slice(0, rowsAtOnce);
  const last = movements.length > rowsAtOnce ? pageRows.at(-1) : undefined;
  const here = `${path}?from=${from}&to=${to}`;
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={
            from.equals(to)
              ? formatDay(from)
              : texts.days({ from: formatDay(from), to: formatDay(to) })
          }
          up={{ href: at('/money'), label: texts.title }}
        />
        <Figures
          items={[
            {
              label: texts.amount,
              value: moneyText(lang, total.amount),
              note: texts.journals({ count: total.lines }),
            },
          ]}
        />
        <Table
          lang={lang}
          caption={texts.sideMovements}
          columns={columnsFor(visit)}
          rows={pageRows}
          empty={<EmptyState title={texts.noMovements} />}
        />
        <Pager
          lang={lang}
          first={query.has('behind') ? here : undefined}
          next={last && `${here}&${behind({ day: last.on_date, id: last.id }).slice(1)}`}
        />
      </>
    ),
  };
}
