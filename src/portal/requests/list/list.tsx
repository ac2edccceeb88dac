import { formatDay } from '../../../kernel/dates.ts';
import type { FoundPaymentRequest } from '../../../payment-requests/index.ts';
import { EmptyState, Pager } from '../../../platform/pages/components/parts.tsx';
import {
  Table,
  type TableColumn,
  type TableOrder,
} from '../../../platform/pages/components/table.tsx';
import { countText, moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { amountOn, type RequestTotal, stateOn } from '../../../requests/index.ts';
import type { SavedFilter } from '../../../users/index.ts';
import type { AccountVisit, Page } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { RequestBadge } from '../../frame/states.tsx';
import { refundTexts } from '../../refunds/texts.ts';
import { BulkLinks } from './bulk.tsx';
import { RequestFilterBar } from './filters.tsx';
import { type ListQuery, queryOf, sortOf } from './query.ts';
import { SavedFilters } from './saved.tsx';
import { listTexts } from './texts.ts';

export const rowsAtOnce = 25;

export interface ListModel {
  asked: ListQuery;
  /** One more than the page shows, to detect a next page. */
  found: readonly FoundPaymentRequest[];
  /** Null if there are too many to add up. */
  total: RequestTotal | null;
  saved: readonly SavedFilter[];
  today: Temporal.PlainDate;
}

type Row = FoundPaymentRequest['row'];

export function listPage(visit: AccountVisit, model: ListModel): Page {
  const { asked, found, total, saved, today } = model;
  const { lang, at, query } = visit;
  const texts = listTexts[lang];
  const rows = found.slice(0, rowsAtOnce).map(({ row }) => row);
  const last = found.length > rowsAtOnce ? rows.at(-1) : undefined;
  const pageOf = (more: Readonly<Record<string, string>>): string =>
    at('/requests') + queryOf(asked.values, { ...sortOf(asked), ...more });
  // A text search with too many matches is not sorted.
  const unsorted = asked.values.q !== undefined && total === null;
  return {
    title: texts.title,
    ...(asked.search === null && { status: 400 }),
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <>
              {visit.may('refunds.approve') && <RefundsLink visit={visit} />}
              {visit.may('requests.create') && <CreateLink visit={visit} />}
            </>
          }
        />
        <RequestFilterBar visit={visit} asked={asked} />
        <SavedFilters visit={visit} asked={asked} saved={saved} />
        {rows.length > 0 && <Total lang={lang} total={total} />}
        <Table
          lang={lang}
          caption={texts.caption}
          captionUnseen
          columns={columnsFor(visit, today)}
          rows={rows}
          {...(!unsorted && { order: orderIn(visit, asked) })}
          empty={<Nothing visit={visit} asked={asked} />}
        />
        {rows.length > 0 && <Files visit={visit} asked={asked} />}
        {rows.length > 0 && <BulkLinks visit={visit} asked={asked} />}
        <Pager
          lang={lang}
          first={query.has('before') ? pageOf({}) : undefined}
          next={last && pageOf({ before: String(last.id) })}
        />
      </>
    ),
  };
}

/** Shows how many requests were found, and the sum of their amounts. */
function Total({ lang, total }: Pick<ListModel, 'total'> & { lang: Lang }) {
  const texts = listTexts[lang];
  if (total === null) return <p class="lead">{texts.uncounted}</p>;
  const { count, sum } = total;
  return (
    <p class="lead">
      {texts.total({ count, shown: countText(lang, count), sum: moneyText(lang, sum) })}
    </p>
  );
}

function orderIn({ at }: AccountVisit, { values, sort }: ListQuery): TableOrder {
  return {
    by: sort.replace('-', ''),
    descending: sort.startsWith('-'),
    href: (by, descending) =>
      at('/requests') + queryOf(values, { sort: `${descending ? '-' : ''}${by}` }),
  };
}

/** Links to everything found, as a file. */
function Files({ visit: { lang, at }, asked }: { visit: AccountVisit; asked: ListQuery }) {
  const texts = listTexts[lang];
  const query = queryOf(asked.values, sortOf(asked));
  return (
    <p class="actions">
      <a class="button button-quiet" href={`${at('/requests/export.xlsx')}${query}`} download>
        {texts.workbook}
      </a>
      <a class="button button-quiet" href={`${at('/requests/export.csv')}${query}`} download>
        {texts.download}
      </a>
    </p>
  );
}

function CreateLink({ visit: { lang, at } }: { visit: AccountVisit }) {
  return (
    <a class="button" href={at('/requests/new')}>
      {listTexts[lang].create}
    </a>
  );
}

function RefundsLink({ visit: { lang, at } }: { visit: AccountVisit }) {
  return (
    <a class="button button-quiet" href={at('/refunds')}>
      {refundTexts[lang].title}
    </a>
  );
}

function Nothing({ visit, asked }: { visit: AccountVisit; asked: ListQuery }) {
  const { lang, at } = visit;
  const texts = listTexts[lang];
  const filtered = Object.keys(asked.values).length > 0;
  if (asked.search === null) {
    return <EmptyState title={texts.faulty} text={texts.faultyWhy} />;
  }
  return filtered ? (
    <EmptyState
      title={texts.noneFound}
      text={texts.noneFoundWhy}
      action={<a href={at('/requests')}>{texts.all}</a>}
    />
  ) : (
    <EmptyState
      title={texts.none}
      action={visit.may('requests.create') ? <CreateLink visit={visit} /> : undefined}
    >
      <p>{texts.noneWhy}</p>
    </EmptyState>
  );
}

function columnsFor({ lang, at }: AccountVisit, today: Temporal.PlainDate): TableColumn<Row>[] {
  const texts = listTexts[lang];
  return [
    {
      key: 'payer',
      title: texts.payer,
      heads: true,
      cell: ({ id, payer }) => (
        <a href={at(`/requests/${id}`)}>
          <bdi>{payer}</bdi>
        </a>
      ),
    },
    {
      key: 'concept',
      title: texts.concept,
      cell: ({ id, description, reference }) => (
        <>
          <bdi>{description}</bdi>
          <span class="aside">
            {id}
            {reference !== null && (
              <>
                {' · '}
                <bdi>{reference}</bdi>
              </>
            )}
          </span>
        </>
      ),
    },
    {
      key: 'due',
      title: texts.due,
      sortable: true,
      cell: ({ due1 }) => <span class="whole">{formatDay(due1)}</span>,
    },
    {
      key: 'state',
      title: texts.state,
      cell: (row) => <RequestBadge lang={lang} state={stateOn(row, today)} />,
    },
    {
      key: 'amount',
      title: texts.amount,
      number: true,
      sortable: true,
      cell: (row) => moneyText(lang, amountOn(row, today)),
    },
  ];
}
