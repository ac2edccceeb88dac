import { formatDay } from '../../kernel/dates.ts';
import { type Centavos, negate } from '../../kernel/money.ts';
import type { Journal } from '../../money/ledger/index.ts';
import { Facts } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { moneyText, paidText } from '../../platform/pages/format.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { accountText, causeText, moneyTexts } from './texts.ts';

/** Renders a journal. Its lines sum to zero. */
export function journalPage({ lang, at }: AccountVisit, journal: Journal): Page {
  const texts = moneyTexts[lang];
  const title = texts.journal({ id: journal.id });
  const lines = journal.accounts.map((account, index) => ({
    name: accountText(lang, account),
    amount: journal.amounts[index],
  }));
  const side = (amount: Centavos | undefined, credit: boolean) =>
    amount !== undefined && amount < 0 === credit
      ? moneyText(lang, credit ? negate(amount) : amount)
      : '';
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={texts.kinds[journal.kind]}
          up={{ href: at('/money'), label: texts.title }}
        />
        <Facts
          items={[
            [texts.when, paidText(lang, journal.at)],
            [texts.booked, formatDay(journal.on_date)],
            [texts.of, causeText(lang, journal)],
          ]}
        />
        <Table
          lang={lang}
          caption={texts.lines}
          columns={[
            { key: 'account', title: texts.account, heads: true, cell: ({ name }) => name },
            {
              key: 'debit',
              title: texts.debit,
              number: true,
              cell: ({ amount }) => side(amount, false),
            },
            {
              key: 'credit',
              title: texts.credit,
              number: true,
              cell: ({ amount }) => side(amount, true),
            },
          ]}
          rows={lines}
          empty={null}
        />
      </>
    ),
  };
}
