import type { ActivityEvent, FoundActivity } from '../../events/http.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { EmptyState } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import { actText, Changes } from '../acts/views.tsx';
import { Downloads } from '../frame/downloads.tsx';
import { type Filter, Filters, isFiltered, ListPager, listAt } from '../frame/filters.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import {
  authorChoices,
  authorName,
  authorPlace,
  type Cast,
  entityChoices,
  placeText,
  subjectName,
} from './model.ts';
import { placeOf } from './places.ts';
import { activityTexts } from './texts.ts';
import { shownChanges } from './types.ts';

function filtersOf(visit: AccountVisit, cast: Cast): Filter[] {
  const { lang } = visit;
  const texts = activityTexts[lang];
  const { any: none } = texts;
  return [
    {
      kind: 'choice',
      name: 'who',
      label: texts.who,
      none: texts.anyone,
      choices: authorChoices(visit, cast),
    },
    { kind: 'choice', name: 'entity', label: texts.kind, none, choices: entityChoices(lang) },
    { kind: 'day', name: 'from', label: texts.from },
    { kind: 'day', name: 'to', label: texts.to },
  ];
}

type ActivityProps = { visit: AccountVisit; cast: Cast; found: FoundActivity };

export function activityPage(visit: AccountVisit, cast: Cast, found: FoundActivity): Page {
  const { lang, at } = visit;
  const texts = activityTexts[lang];
  const { events, next } = found;
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/settings'), label: texts.settings }}
        />
        <Filters visit={visit} filters={filtersOf(visit, cast)} />
        <Acts visit={visit} cast={cast} found={found} />
        {events.length > 0 && <Downloads visit={visit} path="/settings/activity/export" />}
        <ListPager visit={visit} next={next && placeText(next)} />
      </>
    ),
  };
}

function Nothing({ visit, cast, found: { next } }: ActivityProps) {
  const texts = activityTexts[visit.lang];
  if (next !== null) {
    return <EmptyState title={texts.noneSoFar} text={texts.noneSoFarWhy} />;
  }
  const filtered = isFiltered(visit.query, filtersOf(visit, cast)) || visit.query.has('behind');
  return (
    <EmptyState
      title={filtered ? texts.noneFound : texts.none}
      text={filtered ? texts.noneFoundWhy : texts.noneWhy}
    />
  );
}

function Acts(props: ActivityProps) {
  const { visit, cast, found } = props;
  const { lang } = visit;
  const texts = activityTexts[lang];
  return (
    <Table
      lang={lang}
      caption={texts.title}
      captionUnseen
      rows={found.events}
      empty={<Nothing {...props} />}
      columns={[
        { key: 'what', title: texts.what, heads: true, cell: (event) => actText(lang, event) },
        {
          key: 'when',
          title: texts.when,
          cell: ({ at }) => <time dateTime={isoDateTime(at)}>{momentText(lang, at)}</time>,
        },
        {
          key: 'who',
          title: texts.who,
          cell: (event) => (
            <a href={listAt(visit, 'who', authorPlace(event))}>
              <bdi>{authorName(lang, event, cast)}</bdi>
            </a>
          ),
        },
        {
          key: 'of',
          title: texts.of,
          cell: (event) => <Subject visit={visit} cast={cast} event={event} />,
        },
        {
          key: 'detail',
          title: texts.detail,
          cell: (event) => <Changes lang={lang} changes={shownChanges(event)} />,
        },
      ]}
    />
  );
}

type SubjectProps = { visit: AccountVisit; cast: Cast; event: ActivityEvent };

function Subject({ visit: { lang, at }, cast, event }: SubjectProps) {
  const text = <bdi>{subjectName(lang, event, cast)}</bdi>;
  const path = placeOf(event, cast.existing);
  return path === null ? text : <a href={at(path)}>{text}</a>;
}
