import { bankOf } from '../../kernel/banks.ts';
import type { FoundMandates, MandateRow } from '../../mandates/index.ts';
import type { Choice } from '../../platform/pages/components/field.tsx';
import { EmptyState } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { Downloads } from '../frame/downloads.tsx';
import { type Filter, Filters, isFiltered, ListPager } from '../frame/filters.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { stateNames } from '../frame/state-names.ts';
import { MandateBadge } from '../frame/states.tsx';
import { newTexts } from './new-texts.ts';
import { kinds, mandatePath, placeText, segmentOf } from './places.ts';
import { mandateTexts } from './texts.ts';

export const kindChoices = (lang: Lang): Choice[] =>
  kinds.map((kind) => ({ value: segmentOf[kind], label: mandateTexts[lang].kinds[kind] }));

export const stateChoices = (lang: Lang): Choice[] =>
  Object.entries(stateNames[lang].mandates).map(([value, label]) => ({ value, label }));

/** Describes the debited account or card. */
export function instrumentText(lang: Lang, row: MandateRow): string {
  if (row.kind === 'adhesion') return `${bankOf(row.cbu)} ···· ${row.cbu.slice(-4)}`;
  const { brand_name: brand, last_four: lastFour, closed } = row.details;
  const texts = mandateTexts[lang];
  if (lastFour === undefined) return texts.unnamed;
  const mark = closed === undefined ? '' : ` (${texts.closed.mark})`;
  return `${brand} ···· ${lastFour}${mark}`;
}

export function listPage(visit: AccountVisit, found: FoundMandates): Page {
  const { lang, at, query } = visit;
  const texts = mandateTexts[lang];
  const filters = filtersOf(lang);
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} actions={<Create visit={visit} />} />
        <Filters visit={visit} filters={filters} />
        <Table
          lang={lang}
          caption={texts.list.caption}
          captionUnseen
          columns={columnsFor(visit)}
          rows={found.rows}
          empty={
            isFiltered(query, filters) || query.has('behind') ? (
              <EmptyState
                title={texts.notFound}
                action={<a href={at('/mandates')}>{texts.filters.all}</a>}
              />
            ) : (
              <EmptyState title={texts.none} text={texts.noneWhy} />
            )
          }
        />
        {found.rows.length > 0 && <Downloads visit={visit} path="/mandates/export" />}
        <ListPager visit={visit} next={found.next && placeText(found.next)} />
      </>
    ),
  };
}

function Create({ visit }: { visit: AccountVisit }) {
  if (!visit.may('mandates.create') || visit.account.state !== 'active') return null;
  return (
    <a class="button" href={visit.at('/mandates/new/bank')}>
      {newTexts[visit.lang].ask.adhesion}
    </a>
  );
}

const filtersOf = (lang: Lang): Filter[] => {
  const { filters: texts } = mandateTexts[lang];
  const { all: none } = texts;
  return [
    { kind: 'text', name: 'q', label: texts.text, hint: texts.hint },
    { kind: 'choice', name: 'kind', label: texts.kind, none, choices: kindChoices(lang) },
    { kind: 'choice', name: 'state', label: texts.state, none, choices: stateChoices(lang) },
  ];
};

function columnsFor({ lang, at }: AccountVisit): TableColumn<MandateRow>[] {
  const { list: texts } = mandateTexts[lang];
  return [
    {
      key: 'holder',
      title: texts.holder,
      heads: true,
      cell: (row) => (
        <a href={at(mandatePath(row))}>
          <bdi>{row.holder}</bdi>
        </a>
      ),
    },
    { key: 'instrument', title: texts.instrument, cell: (row) => instrumentText(lang, row) },
    {
      key: 'reference',
      title: texts.reference,
      cell: ({ reference }) => (reference === null ? '—' : <bdi class="code">{reference}</bdi>),
    },
    {
      key: 'state',
      title: texts.state,
      cell: ({ state }) => <MandateBadge lang={lang} state={state} />,
    },
    {
      key: 'created',
      title: texts.created,
      cell: ({ created_at: at }) => momentText(lang, at),
    },
  ];
}
