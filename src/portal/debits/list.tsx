import {
  type DayTotal,
  type DebitView,
  debitStates,
  mostCounted,
} from '../../debit-requests/index.ts';
import type { Choice } from '../../platform/pages/components/field.tsx';
import { EmptyState, Figures } from '../../platform/pages/components/parts.tsx';
import { dayText, moneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { Downloads } from '../frame/downloads.tsx';
import { type Filter, Filters, isFiltered, ListPager, listAt } from '../frame/filters.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { stateNames } from '../frame/state-names.ts';
import { segmentOf } from './places.ts';
import { DebitTable } from './table.tsx';
import { debitTexts } from './texts.ts';

export const kindChoices = (lang: Lang): Choice[] =>
  (['debit_request', 'card_debit_request'] as const).map((kind) => ({
    value: segmentOf[kind],
    label: debitTexts[lang].kinds[kind],
  }));

export const stateChoices = (lang: Lang): Choice[] =>
  debitStates.map((state) => ({ value: state, label: stateNames[lang].requests[state] }));

const filtersOf = (lang: Lang): Filter[] => {
  const { filters: texts } = debitTexts[lang];
  const { all: none } = texts;
  return [
    { kind: 'text', name: 'q', label: texts.text, hint: texts.hint },
    { kind: 'choice', name: 'state', label: texts.state, none, choices: stateChoices(lang) },
    { kind: 'choice', name: 'kind', label: texts.kind, none, choices: kindChoices(lang) },
    { kind: 'day', name: 'day', label: texts.day },
  ];
};

export interface ListModel {
  debits: readonly DebitView[];
  /** Cursor of the next page. Null at the end. */
  next: number | null;
  /**
   * The listed day with its counts by state, which are null if there are too many to count. Null if
   * the list is not of one day.
   */
  ofDay: { day: Temporal.PlainDate; totals: readonly DayTotal[] | null } | null;
}

export function listPage(visit: AccountVisit, { debits, next, ofDay }: ListModel): Page {
  const { lang, at, query } = visit;
  const texts = debitTexts[lang];
  const filters = filtersOf(lang);
  const title = ofDay === null ? texts.title : texts.ofDay({ day: dayText(lang, ofDay.day) });
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={texts.lead}
          actions={
            <a class="button button-quiet" href={at('/debits/days')}>
              {texts.days.link}
            </a>
          }
        />
        {ofDay?.totals === null && <p>{texts.days.uncounted({ count: mostCounted })}</p>}
        {ofDay?.totals && ofDay.totals.length > 0 && (
          <Figures
            items={ofDay.totals.map(({ state, debits: count, amount }) => ({
              label: stateNames[lang].requests[state],
              value: moneyText(lang, amount),
              note: texts.counted({ debits: count }),
              href: listAt(visit, 'state', state),
            }))}
          />
        )}
        <Filters visit={visit} filters={filters} />
        <DebitTable
          visit={visit}
          rows={debits}
          caption={texts.list.caption}
          empty={
            isFiltered(query, filters) || query.has('behind') ? (
              <EmptyState
                title={texts.notFound}
                action={<a href={at('/debits')}>{texts.filters.all}</a>}
              />
            ) : (
              <EmptyState title={texts.none} text={texts.noneWhy} />
            )
          }
        />
        {debits.length > 0 && <Downloads visit={visit} path="/debits/export" />}
        <ListPager visit={visit} next={next} />
      </>
    ),
  };
}
