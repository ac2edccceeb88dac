import type { Centavos } from '../../../kernel/money.ts';
import type { SuspenseRow } from '../../../money/suspense/index.ts';
import {
  Badge,
  EmptyState,
  Figures,
  Pager,
  type Tone,
} from '../../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../../platform/pages/components/table.tsx';
import { moneyText, paidText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { suspenseTexts } from './texts.ts';

/** Rows of a page. */
export const rowsAtOnce = 50;

interface ListModel {
  /** One more than is shown says that there are others. */
  rows: readonly SuspenseRow[];
  open: { count: number; total: Centavos };
  all: boolean;
}

const tones: Record<SuspenseRow['state'], Tone> = {
  open: 'wait',
  assigned: 'good',
  returned: 'calm',
  reversed: 'bad',
};

export function SuspenseState({ lang, state }: { lang: Lang; state: SuspenseRow['state'] }) {
  return <Badge tone={tones[state]}>{suspenseTexts[lang].states[state]}</Badge>;
}

function columnsOf({ lang, at }: ServiceVisit, all: boolean): TableColumn<SuspenseRow>[] {
  const texts = suspenseTexts[lang];
  return [
    {
      key: 'id',
      title: texts.number,
      heads: true,
      cell: ({ id }) => <a href={at(`/suspense/${id}`)}>{id}</a>,
    },
    { key: 'paid', title: texts.paid, cell: (row) => paidText(lang, row.paid_at) },
    { key: 'channel', title: texts.channel, cell: (row) => row.channel_label },
    { key: 'code', title: texts.code, cell: (row) => <bdi class="code">{row.code || '—'}</bdi> },
    { key: 'reason', title: texts.reason, cell: (row) => texts.reasons[row.reason] },
    ...(all
      ? [
          {
            key: 'state',
            title: texts.state,
            cell: ({ state }: SuspenseRow) => <SuspenseState lang={lang} state={state} />,
          },
        ]
      : []),
    {
      key: 'amount',
      title: texts.amount,
      number: true,
      cell: (row) => moneyText(lang, row.amount),
    },
  ];
}

/** Money of nobody known, the oldest first. */
export function listPage(visit: ServiceVisit, { rows, open, all }: ListModel): Page {
  const { lang, at, query } = visit;
  const texts = suspenseTexts[lang];
  const shown = rows.slice(0, rowsAtOnce);
  const last = rows.length > rowsAtOnce ? shown.at(-1) : undefined;
  const here = at(all ? '/suspense?all=1' : '/suspense');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <a class="button button-quiet" href={at(all ? '/suspense' : '/suspense?all=1')}>
              {all ? texts.open : texts.all}
            </a>
          }
        />
        <Figures
          items={[
            { label: texts.count, value: String(open.count) },
            { label: texts.total, value: moneyText(lang, open.total) },
          ]}
        />
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={shown}
          columns={columnsOf(visit, all)}
          empty={
            <EmptyState title={texts.empty}>
              <p>{texts.emptyWhy}</p>
            </EmptyState>
          }
        />
        <Pager
          lang={lang}
          first={query.has('after') ? here : undefined}
          next={last && `${here}${all ? '&' : '?'}after=${last.id}`}
        />
      </>
    ),
  };
}
