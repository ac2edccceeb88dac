import type { ApiKey, FoundCall } from '../../accounts/index.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { SelectField, TextField } from '../../platform/pages/components/field.tsx';
import { FilterBar, type FilterChip } from '../../platform/pages/components/filter-bar.tsx';
import { ErrorSummary } from '../../platform/pages/components/form.tsx';
import {
  Badge,
  EmptyState,
  Notice,
  Pager,
  type Tone,
} from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { integrationTexts } from '../integrations/texts.ts';
import {
  type FilterName,
  filterNames,
  type LogQuery,
  methods,
  type ParsedFilters,
  statusClasses,
} from './filters.ts';
import { callTexts } from './texts.ts';

export interface CallsModel extends Pick<ParsedFilters, 'faults'> {
  logQuery: LogQuery;
  keys: readonly ApiKey[];
  calls: readonly FoundCall[];
  leftOut: number;
  isFirst: boolean;
  /** Cursor of the next page. Null at the end. */
  behind: string | null;
}

/** Returns the log's address with its filters, except `without`, from the cursor `behind`. */
function addressOf(
  { at }: AccountVisit,
  logQuery: LogQuery,
  { without, behind }: { without?: FilterName; behind?: string } = {},
): string {
  const query = new URLSearchParams(
    filterNames.flatMap((name) =>
      logQuery[name] === '' || name === without ? [] : [[name, logQuery[name]]],
    ),
  );
  if (behind !== undefined) query.set('behind', behind);
  const text = query.toString();
  return at(text === '' ? '/log' : `/log?${text}`);
}

export function callsPage(visit: AccountVisit, model: CallsModel): Page {
  const { lang, at } = visit;
  const { logQuery, calls, leftOut, faults, behind } = model;
  const texts = callTexts[lang];
  const isFiltered = filterNames.some((name) => logQuery[name] !== '');
  const errors = filterNames.flatMap((name) => {
    const fault = faults[name];
    return fault ? [{ field: name, label: texts.fields[name], text: texts.faults[fault] }] : [];
  });
  return {
    title: texts.title,
    status: errors.length === 0 ? 200 : 400,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/integrations'), label: integrationTexts[lang].title }}
        />
        <ErrorSummary lang={lang} faults={errors} />
        <Filters visit={visit} model={model} />
        {leftOut > 0 && (
          <Notice
            tone="wait"
            title={texts.leftOut({ calls: leftOut.toLocaleString(lang) })}
            text={texts.leftOutWhy}
          />
        )}
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={calls}
          empty={
            <EmptyState
              title={isFiltered ? texts.noneFound : texts.none}
              text={isFiltered ? texts.noneFoundWhy : texts.noneWhy}
            />
          }
          columns={columnsFor(visit)}
        />
        <Pager
          lang={lang}
          first={model.isFirst ? undefined : addressOf(visit, logQuery)}
          next={behind === null ? undefined : addressOf(visit, logQuery, { behind })}
        />
      </>
    ),
  };
}

function Filters({ visit, model }: { visit: AccountVisit; model: CallsModel }) {
  const { lang, at } = visit;
  const { logQuery, keys, faults } = model;
  const texts = callTexts[lang];
  const field = (name: FilterName) => {
    const fault = faults[name];
    const faultText = fault && { fault: texts.faults[fault] };
    return { lang, name, label: texts.fields[name], value: logQuery[name], ...faultText };
  };
  const chips: FilterChip[] = filterNames
    .filter((name) => logQuery[name] !== '' && faults[name] === undefined)
    .map((name) => ({
      label: `${texts.fields[name]}: ${chipText(name, model, visit)}`,
      without: addressOf(visit, logQuery, { without: name }),
    }));
  return (
    <FilterBar
      lang={lang}
      action={at('/log')}
      chips={chips}
      moreOpen={logQuery.from + logQuery.to + logQuery.method !== ''}
      more={
        <>
          <SelectField
            {...field('method')}
            none={texts.any}
            choices={methods.map((value) => ({ value, label: value }))}
          />
          <TextField {...field('from')} type="date" />
          <TextField {...field('to')} type="date" />
        </>
      }
    >
      <TextField {...field('text')} type="search" maxLength={200} />
      <SelectField {...field('status')} none={texts.any} choices={statusChoices(lang, logQuery)} />
      <SelectField
        {...field('key')}
        none={texts.any}
        choices={keys.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </FilterBar>
  );
}

function statusChoices(lang: AccountVisit['lang'], { status }: LogQuery) {
  const { statuses } = callTexts[lang];
  const classes = statusClasses.map((value) => ({ value, label: statuses[value] }));
  const isExact = /^[1-5]\d\d$/.test(status);
  return isExact ? [...classes, { value: status, label: status }] : classes;
}

function chipText(
  name: FilterName,
  { logQuery, keys }: CallsModel,
  { lang }: AccountVisit,
): string {
  const value = logQuery[name];
  if (name === 'key') return keys.find(({ id }) => String(id) === value)?.name ?? value;
  if (name !== 'status') return value;
  return statusChoices(lang, logQuery).find((one) => one.value === value)?.label ?? value;
}

const toneOf = (status: number): Tone =>
  status < 400 ? 'good' : status === 499 ? 'calm' : status < 500 ? 'wait' : 'bad';

/** Formats a time to the second, as programs log it. */
const secondText = (at: Temporal.Instant): string => isoDateTime(at).slice(0, 19).replace('T', ' ');

function columnsFor({ lang }: AccountVisit): TableColumn<FoundCall>[] {
  const texts = callTexts[lang];
  const { columns } = texts;
  return [
    {
      key: 'when',
      title: columns.when,
      heads: true,
      cell: ({ at }) => <time dateTime={isoDateTime(at)}>{secondText(at)}</time>,
    },
    {
      key: 'call',
      title: columns.call,
      cell: ({ method, path, requestId }) => (
        <>
          <span class="code">
            {method} {path}
          </span>
          <br />
          <span class="hint">
            {texts.requestId} <span class="code">{requestId}</span>
          </span>
        </>
      ),
    },
    {
      key: 'status',
      title: columns.status,
      cell: ({ status }) => (
        <Badge tone={toneOf(status)}>{status === 499 ? texts.givenUp : status}</Badge>
      ),
    },
    { key: 'ms', title: columns.ms, number: true, cell: ({ ms }) => ms },
    {
      key: 'key',
      title: columns.key,
      cell: ({ key }) => (key === null ? texts.noKey : <bdi>{key.name}</bdi>),
    },
  ];
}
