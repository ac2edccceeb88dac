import type { ComponentChildren } from 'preact';
import { type DebitView, refusalWords } from '../../debit-requests/index.ts';
import { Table } from '../../platform/pages/components/table.tsx';
import { dayText, moneyText } from '../../platform/pages/format.ts';
import type { AccountVisit } from '../frame/index.ts';
import { RequestBadge } from '../frame/states.tsx';
import { debitTexts } from './texts.ts';

/** Returns the final refusal of a debit, or null. */
export function lastRefusal({ row, results }: Pick<DebitView, 'row' | 'results'>) {
  const last = results.at(-1);
  return row.state === 'rejected' && last?.type === 'rejected' ? last.details : null;
}

/** Explains the reason of a refusal. Unknown texts of banks keep their language. */
function Why({ visit: { lang }, debit }: { visit: AccountVisit; debit: DebitView }) {
  const stored = lastRefusal(debit);
  if (stored === null) return <>—</>;
  return <bdi>{refusalWords(lang, stored).reason}</bdi>;
}

type Props = {
  visit: AccountVisit;
  rows: readonly DebitView[];
  caption: string;
  empty: ComponentChildren;
};

export function DebitTable({ visit, rows, caption, empty }: Props) {
  const { lang, at } = visit;
  const { list: texts } = debitTexts[lang];
  return (
    <Table
      lang={lang}
      caption={caption}
      captionUnseen
      rows={rows}
      empty={empty}
      columns={[
        {
          key: 'payer',
          title: texts.payer,
          heads: true,
          cell: ({ row }: DebitView) => (
            <a href={at(`/debits/${row.id}`)}>
              <bdi>{row.payer}</bdi>
            </a>
          ),
        },
        {
          key: 'reference',
          title: texts.reference,
          cell: ({ row }) =>
            row.reference === null ? '—' : <bdi class="code">{row.reference}</bdi>,
        },
        {
          key: 'day',
          title: texts.day,
          cell: ({ row, runs }) => dayText(lang, runs.at(-1)?.run_on ?? row.due1),
        },
        {
          key: 'state',
          title: texts.state,
          cell: ({ row }) => <RequestBadge lang={lang} state={row.state} />,
        },
        {
          key: 'why',
          title: texts.why,
          cell: (debit) => <Why visit={visit} debit={debit} />,
        },
        {
          key: 'amount',
          title: texts.amount,
          number: true,
          cell: ({ row, runs }) => moneyText(lang, runs.at(-1)?.amount ?? row.total1),
        },
      ]}
    />
  );
}
