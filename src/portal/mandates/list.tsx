import { bankOf } from '../../kernel/banks.ts';
import type { FoundMandates, MandateRow } from '../../mandates/index.ts';
import { type Choice, SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { FilterBar, type FilterChip } from '../../platform/pages/components/filter-bar.tsx';
import { EmptyState, Pager } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { MandateBadge, mandateStates } from '../frame/states.tsx';
import { newTexts } from './new-texts.ts';
import { chosenIn, kinds, mandatePath, placeText, segmentOf } from './places.ts';
import { mandateTexts } from './texts.ts';

export const kindChoices = (lang: Lang): Choice[] =>
  kinds.map((kind) => ({ value: segmentOf[kind], label: mandateTexts[lang].kinds[kind] }));

export const stateChoices = (lang: Lang): Choice[] =>
  Object.entries(mandateStates).map(([value, look]) => ({ value, label: look[lang] }));

/** What is debited, in little room. */
export function instrumentText(lang: Lang, row: MandateRow): string {
  if (row.kind === 'adhesion') return `${bankOf(row.cbu)} ···· ${row.cbu.slice(-4)}`;
  const { brand_name: brand, last_four: lastFour } = row.details;
  return lastFour === undefined ? mandateTexts[lang].unnamed : `${brand} ···· ${lastFour}`;
}

/** The mandates of an account, the newest first. */
export function listPage(visit: AccountVisit, found: FoundMandates): Page {
  const { lang, at, query } = visit;
  const texts = mandateTexts[lang];
  const filtered = ['q', 'kind', 'state', 'behind'].some((name) => (query.get(name) ?? '') !== '');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} actions={<Create visit={visit} />} />
        <Filters visit={visit} />
        <Table
          lang={lang}
          caption={texts.list.caption}
          captionUnseen
          columns={columnsFor(visit)}
          rows={found.rows}
          empty={
            filtered ? (
              <EmptyState
                title={texts.notFound}
                action={<a href={at('/mandates')}>{texts.filters.all}</a>}
              />
            ) : (
              <EmptyState title={texts.none}>
                <p>{texts.noneWhy}</p>
              </EmptyState>
            )
          }
        />
        <Pager
          lang={lang}
          first={query.has('behind') ? pageOf(visit, null) : undefined}
          next={found.next === null ? undefined : pageOf(visit, placeText(found.next))}
        />
      </>
    ),
  };
}

/** The same filters from another place on. */
function pageOf({ at, query }: AccountVisit, behind: string | null): string {
  const asked = new URLSearchParams(query);
  asked.delete('behind');
  if (behind !== null) asked.set('behind', behind);
  return asked.size === 0 ? at('/mandates') : `${at('/mandates')}?${asked}`;
}

function Create({ visit }: { visit: AccountVisit }) {
  if (!visit.may('mandates.create') || visit.account.state !== 'active') return null;
  return (
    <a class="button" href={visit.at('/mandates/new/bank')}>
      {newTexts[visit.lang].ask.adhesion}
    </a>
  );
}

function Filters({ visit }: { visit: AccountVisit }) {
  const { lang, at, query } = visit;
  const { filters: texts } = mandateTexts[lang];
  const text = query.get('q') ?? '';
  const selects = [
    { name: 'kind', label: texts.kind, choices: kindChoices(lang) },
    { name: 'state', label: texts.state, choices: stateChoices(lang) },
  ];
  const without = (name: string): string => {
    const asked = new URLSearchParams(query);
    asked.delete(name);
    asked.delete('behind');
    return asked.size === 0 ? at('/mandates') : `${at('/mandates')}?${asked}`;
  };
  const chips: FilterChip[] = [
    ...(text.trim() === '' ? [] : [{ label: `${texts.text}: ${text}`, without: without('q') }]),
    ...selects.flatMap(({ name, label, choices }) => {
      const chosen = chosenIn(query, name, choices);
      return chosen === null
        ? []
        : [{ label: `${label}: ${chosen.label}`, without: without(name) }];
    }),
  ];
  return (
    <FilterBar lang={lang} action={at('/mandates')} chips={chips}>
      <TextField
        lang={lang}
        name="q"
        type="search"
        label={texts.text}
        hint={texts.hint}
        value={text}
        maxLength={100}
      />
      {selects.map(({ name, label, choices }) => (
        <SelectField
          key={name}
          lang={lang}
          name={name}
          label={label}
          none={texts.all}
          choices={choices}
          value={chosenIn(query, name, choices)?.value ?? ''}
        />
      ))}
    </FilterBar>
  );
}

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
