import { formatDay } from '../../kernel/dates.ts';
import type { Choice } from '../../platform/pages/components/field.tsx';
import { EmptyState } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { FoundQrs, QrPlace } from '../../qr/http.ts';
import type { QrRow, QrState, StaticRow } from '../../qr/index.ts';
import { stateOn } from '../../requests/index.ts';
import { type Filter, Filters, isFiltered, ListPager } from '../frame/filters.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { stateNames } from '../frame/state-names.ts';
import { RequestBadge } from '../frame/states.tsx';
import { qrTexts } from './texts.ts';

const states: readonly QrState[] = ['pending', 'paid', 'expired', 'deleted', 'refunded'];

export const stateChoices = (lang: Lang): Choice[] =>
  states.map((state) => ({ value: state, label: stateNames[lang].requests[state] }));

const filtersOf = (lang: Lang): Filter[] => {
  const { filters: texts } = qrTexts[lang];
  return [
    { kind: 'text', name: 'q', label: texts.text, hint: texts.hint },
    {
      kind: 'choice',
      name: 'state',
      label: texts.state,
      none: texts.all,
      choices: stateChoices(lang),
    },
  ];
};

const placeShape = /^(\d{1,16})\.(\d{1,16})$/;

/** Parses the page's cursor. Returns null, the first page, if it is missing or malformed. */
export function placeIn(query: URLSearchParams): QrPlace | null {
  const [, one, other] = placeShape.exec(query.get('behind') ?? '') ?? [];
  const [place, id] = [Number(one), Number(other)];
  return Number.isSafeInteger(place) && Number.isSafeInteger(id) ? { place, id } : null;
}

interface ListModel extends FoundQrs {
  today: Temporal.PlainDate;
}

export const creates = (visit: AccountVisit): boolean =>
  visit.may('qr.create') && visit.account.state === 'active';

/** Renders the account's dynamic QRs. */
export function listPage(visit: AccountVisit, { rows, next, today }: ListModel): Page {
  const { lang, at, query } = visit;
  const texts = qrTexts[lang];
  const filters = filtersOf(lang);
  const looking = isFiltered(query, filters) || query.has('behind');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} actions={<Actions visit={visit} />} />
        <Filters visit={visit} filters={filters} />
        <Table
          lang={lang}
          caption={texts.list.caption}
          captionUnseen
          rows={rows}
          empty={
            looking ? (
              <EmptyState
                title={texts.notFound}
                action={<a href={at('/qr')}>{texts.filters.all}</a>}
              >
                {next !== null && <p>{texts.goOn}</p>}
              </EmptyState>
            ) : (
              <EmptyState title={texts.none} text={texts.noneWhy} />
            )
          }
          columns={[
            {
              key: 'payer',
              title: texts.list.payer,
              heads: true,
              cell: (row: QrRow) => (
                <a href={at(`/qr/${row.code}`)}>
                  <bdi>{row.payer}</bdi>
                </a>
              ),
            },
            {
              key: 'id',
              title: texts.list.id,
              cell: (row) => <span class="code">{row.code}</span>,
            },
            {
              key: 'reference',
              title: texts.list.reference,
              cell: ({ reference }) => (reference === null ? '—' : <bdi>{reference}</bdi>),
            },
            { key: 'due', title: texts.list.due, cell: ({ last_due: day }) => formatDay(day) },
            {
              key: 'state',
              title: texts.list.state,
              cell: (row) => <RequestBadge lang={lang} state={stateOn(row, today)} />,
            },
            {
              key: 'amount',
              title: texts.list.amount,
              number: true,
              cell: ({ total1 }) => moneyText(lang, total1),
            },
          ]}
        />
        <ListPager visit={visit} next={next && `${next.place}.${next.id}`} />
      </>
    ),
  };
}

function Actions({ visit }: { visit: AccountVisit }) {
  const { lang, at } = visit;
  const { actions: texts, wall } = qrTexts[lang];
  return (
    <>
      <a class="button button-quiet" href={at('/qr/static')}>
        {wall.title}
      </a>
      <a class="button button-quiet" href={at('/qr/sheet')}>
        {texts.sheet}
      </a>
      <a class="button button-quiet" href={at('/qr/uploads')}>
        {texts.uploads}
      </a>
      {creates(visit) && (
        <a class="button" href={at('/qr/new')}>
          {texts.create}
        </a>
      )}
    </>
  );
}

export function staticsPage(
  visit: AccountVisit,
  rows: readonly StaticRow[],
  next: number | null,
): Page {
  const { lang, at } = visit;
  const { wall, list, title, actions } = qrTexts[lang];
  return {
    title: wall.title,
    body: (
      <>
        <PageHead
          title={wall.title}
          lead={wall.lead}
          up={{ href: at('/qr'), label: title }}
          actions={
            creates(visit) && (
              <a class="button" href={at('/qr/static/new')}>
                {actions.createWall}
              </a>
            )
          }
        />
        <Table
          lang={lang}
          caption={wall.title}
          captionUnseen
          rows={rows}
          empty={<EmptyState title={wall.none} text={wall.noneWhy} />}
          columns={[
            {
              key: 'name',
              title: list.name,
              heads: true,
              cell: (row: StaticRow) => (
                <a href={at(`/qr/static/${row.id}`)}>
                  <bdi>{row.name}</bdi>
                </a>
              ),
            },
            { key: 'id', title: list.id, cell: ({ id }) => <span class="code">{id}</span> },
            {
              key: 'kind',
              title: list.amount,
              cell: ({ open_amount: open }) => (open ? wall.open : wall.closed),
            },
            {
              key: 'created',
              title: qrTexts[lang].facts.created,
              cell: ({ created_at: moment }) => momentText(lang, moment),
            },
          ]}
        />
        <ListPager visit={visit} next={next} />
      </>
    ),
  };
}
