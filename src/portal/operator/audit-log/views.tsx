import { operatorBooks } from '../../../accounts/index.ts';
import type { LoggedEvent } from '../../../events/http.ts';
import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import { FilterBar, type FilterChip } from '../../../platform/pages/components/filter-bar.tsx';
import { ErrorSummary, faultIn, statusOf } from '../../../platform/pages/components/form.tsx';
import { EmptyState, Pager } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import { accessTexts } from '../../accesses/texts.ts';
import { changesIn } from '../../acts/changes.ts';
import { actChoices, actName, entityChoices, entityName } from '../../acts/labels.ts';
import { actText, Changes, whoText } from '../../acts/views.tsx';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { type FilterTexts, filterNames, type LogModel, placeText } from './model.ts';
import { auditLogTexts } from './texts.ts';

const place = '/audit-log';

const addressOf = (
  { at }: ServiceVisit,
  filters: Partial<FilterTexts>,
  behind?: string,
): string => {
  const used = Object.entries(filters).filter(([, value]) => value !== '');
  const query = new URLSearchParams([
    ...used,
    ...(behind ? [['behind', behind]] : []),
  ] as string[][]);
  return query.size === 0 ? at(place) : `${at(place)}?${query}`;
};

/** Describes the active filters, each with the address that removes it. */
function chipsOf(visit: ServiceVisit, filters: FilterTexts): FilterChip[] {
  const texts = auditLogTexts[visit.lang];
  const said: Partial<Record<keyof FilterTexts, string>> = {
    type: actName(visit.lang, filters.type),
    entity: entityName(visit.lang, filters.entity),
    from: `${texts.from} ${filters.from}`,
    to: `${texts.to} ${filters.to}`,
  };
  return filterNames
    .filter((name) => filters[name] !== '')
    .map((name) => ({
      label: said[name] ?? filters[name],
      without: addressOf(visit, { ...filters, [name]: '' }),
    }));
}

export function auditLogPage(visit: ServiceVisit, model: LogModel): Page {
  const { lang, query } = visit;
  const texts = auditLogTexts[lang];
  const { filters, faults, next } = model;
  return {
    title: texts.title,
    status: statusOf(faults),
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <a class="button button-quiet" href={visit.at(`${place}/accesses`)}>
              {accessTexts[lang].title}
            </a>
          }
        />
        <ErrorSummary lang={lang} faults={faults} />
        <Filters visit={visit} model={model} />
        <Acts visit={visit} model={model} />
        <Pager
          lang={lang}
          first={query.has('behind') ? addressOf(visit, filters) : undefined}
          next={next && addressOf(visit, filters, placeText(next))}
        />
      </>
    ),
  };
}

type LogProps = { visit: ServiceVisit; model: LogModel };

function Filters({ visit, model: { filters, faults } }: LogProps) {
  const { lang, at } = visit;
  const texts = auditLogTexts[lang];
  const field = (name: keyof FilterTexts, label: string) => ({
    lang,
    name,
    label,
    value: filters[name],
    fault: faultIn(faults)(name),
  });
  return (
    <FilterBar
      lang={lang}
      action={at(place)}
      chips={chipsOf(visit, filters)}
      moreOpen={filters.entity !== '' || filters.number !== ''}
      more={
        <>
          <SelectField
            {...field('entity', texts.entity)}
            hint={texts.entityHint}
            choices={entityChoices(lang)}
          />
          <TextField {...field('number', texts.number)} maxLength={100} />
        </>
      }
    >
      <TextField {...field('who', texts.who)} hint={texts.whoHint} maxLength={200} />
      <TextField {...field('account', texts.account)} maxLength={8} short />
      <SelectField {...field('type', texts.what)} none={texts.any} choices={actChoices(lang)} />
      <TextField {...field('from', texts.from)} type="date" />
      <TextField {...field('to', texts.to)} type="date" />
    </FilterBar>
  );
}

function Acts({ visit, model }: LogProps) {
  const { lang } = visit;
  const { events, names, filters } = model;
  const texts = auditLogTexts[lang];
  return (
    <Table
      lang={lang}
      caption={texts.title}
      captionUnseen
      rows={events}
      empty={<EmptyState title={texts.none} text={texts.noneWhy} />}
      columns={[
        { key: 'what', title: texts.what, heads: true, cell: (event) => actText(lang, event) },
        {
          key: 'when',
          title: texts.when,
          cell: ({ at }) => <time dateTime={at.toString()}>{momentText(lang, at)}</time>,
        },
        {
          key: 'who',
          title: texts.who,
          cell: ({ actor }) => (
            <a href={addressOf(visit, { ...filters, who: actor, entity: '', number: '' })}>
              <bdi>{whoText(lang, actor, names)}</bdi>
            </a>
          ),
        },
        {
          key: 'of',
          title: texts.of,
          cell: (event) => <Subject visit={visit} event={event} names={names} />,
        },
        {
          key: 'detail',
          title: texts.detail,
          cell: ({ data }) => <Changes lang={lang} changes={changesIn(data)} />,
        },
      ]}
    />
  );
}

type SubjectProps = { visit: ServiceVisit; event: LoggedEvent; names: LogModel['names'] };

/**
 * Links an act's account to its page, and its subject to the other acts on it. Subjects in the
 * operator's own books have no links.
 */
function Subject({ visit, event, names }: SubjectProps) {
  const { lang, at } = visit;
  const { account_id: accountId, entity, entity_id: id } = event;
  const isPerson = entity === 'user' || entity === 'membership';
  const named = isPerson ? names.get(Number(id)) : undefined;
  const text = `${entityName(lang, entity)} ${named ?? (entity === 'account' ? '' : id)}`.trim();
  if (accountId === operatorBooks) return <bdi>{text}</bdi>;
  return (
    <>
      <a href={at(`/accounts/${accountId}`)}>
        <code>{accountId}</code>
      </a>{' '}
      <a href={addressOf(visit, { account: accountId, entity, number: id })}>
        <bdi>{text}</bdi>
      </a>
    </>
  );
}
