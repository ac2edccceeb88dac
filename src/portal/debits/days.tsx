import { mostCounted, type RunDay } from '../../debit-requests/index.ts';
import { EmptyState } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { dayText, moneyText } from '../../platform/pages/format.ts';
import { ListPager } from '../frame/filters.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { debitTexts } from './texts.ts';

export function daysPage(
  visit: AccountVisit,
  { days, more }: { days: readonly RunDay[]; more: boolean },
): Page {
  const { lang, at } = visit;
  const { days: texts, title } = debitTexts[lang];
  const last = more ? days.at(-1) : undefined;
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/debits'), label: title }}
        />
        <Table
          lang={lang}
          caption={texts.caption}
          captionUnseen
          rows={days}
          empty={<EmptyState title={texts.none} />}
          columns={[
            {
              key: 'day',
              title: texts.day,
              heads: true,
              cell: ({ day }: RunDay) => (
                <a href={at(`/debits?day=${day}`)}>{dayText(lang, day)}</a>
              ),
            },
            ...(['waiting', 'submitted', 'done', 'runs'] as const).map((key) => ({
              key,
              title: texts[key],
              number: true,
              cell: (row: RunDay) =>
                row.more ? (key === 'runs' ? texts.more({ count: mostCounted }) : '—') : row[key],
            })),
            {
              key: 'amount',
              title: texts.amount,
              number: true,
              cell: (row) => (row.more ? '—' : moneyText(lang, row.amount)),
            },
          ]}
        />
        <ListPager visit={visit} next={last ? last.day.toString() : null} />
      </>
    ),
  };
}
