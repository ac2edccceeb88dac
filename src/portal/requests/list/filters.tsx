import { channelCodes } from '../../../money/channels/index.ts';
import { listedStates } from '../../../payment-requests/index.ts';
import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import { FilterBar, type FilterChip } from '../../../platform/pages/components/filter-bar.tsx';
import type { Lang } from '../../../platform/pages/model.ts';
import { dayTextOf } from '../../../platform/spreadsheets/cells.ts';
import { channelNames } from '../../frame/channels.ts';
import { faultText } from '../../frame/faults.ts';
import type { AccountVisit } from '../../frame/index.ts';
import { stateNames } from '../../frame/state-names.ts';
import { type FilterName, filterNames, type ListQuery, queryOf, sortOf } from './query.ts';
import { listTexts } from './texts.ts';

/** Returns the label of an active filter. */
function chipText(lang: Lang, name: FilterName, value: string): string {
  const label = listTexts[lang].filters[name];
  const state = listedStates.find((known) => known === value);
  if (name === 'q') return `“${value}”`;
  if (name === 'state' && value === 'overdue') return listTexts[lang].overdue;
  if (name === 'state' && state) return stateNames[lang].requests[state];
  const channel = channelCodes.find((known) => known === value);
  if (name === 'channel' && channel) return `${label} ${channelNames[lang][channel]}`;
  return `${label} ${name.includes('_at_') || name.includes('_date_') ? dayTextOf(value) : value}`;
}

function chipsOf(visit: AccountVisit, listQuery: ListQuery): FilterChip[] {
  const { values } = listQuery;
  const { lang, at } = visit;
  return filterNames.flatMap((name) => {
    const { [name]: value, ...others } = values;
    if (value === undefined) return [];
    const without = at('/requests') + queryOf(others, sortOf(listQuery));
    return [{ label: chipText(lang, name, value), without }];
  });
}

const permanentFilters: readonly FilterName[] = ['q', 'state'];

/** Converts a day to the format of date inputs. Other texts stay unchanged. */
function dayValue(text: string | undefined): string | undefined {
  const [, day, month, year] = /^(\d{2})-(\d{2})-(\d{4})$/.exec(dayTextOf(text ?? '')) ?? [];
  return year ? `${year}-${month}-${day}` : text;
}

/** Renders the filters of the list. The collapsed ones open if any of them has a value. */
export function RequestFilterBar({
  visit,
  asked: listQuery,
}: {
  visit: AccountVisit;
  asked: ListQuery;
}) {
  const { lang, at } = visit;
  const texts = listTexts[lang];
  const { values, faults } = listQuery;
  const shared = (name: FilterName) => {
    const fault = faults[name];
    return {
      lang,
      name,
      label: texts.filters[name],
      ...(values[name] !== undefined && { value: values[name] }),
      ...(fault !== undefined && { fault: faultText(lang, fault) }),
    };
  };
  const dayField = (name: FilterName) => {
    const value = dayValue(values[name]);
    return (
      <TextField key={name} {...shared(name)} type="date" {...(value !== undefined && { value })} />
    );
  };
  const amountField = (name: FilterName) => (
    <TextField key={name} {...shared(name)} inputMode="decimal" short />
  );
  return (
    <FilterBar
      lang={lang}
      action={at('/requests')}
      keep={sortOf(listQuery)}
      chips={chipsOf(visit, listQuery)}
      moreOpen={filterNames.some((name) => !permanentFilters.includes(name) && values[name])}
      more={
        <>
          {dayField('created_at_gte')}
          {dayField('created_at_lte')}
          {dayField('first_due_date_gte')}
          {dayField('first_due_date_lte')}
          {amountField('first_total_gte')}
          {amountField('first_total_lte')}
          <SelectField
            {...shared('channel')}
            none={texts.anyChannel}
            choices={channelCodes.map((code) => ({
              value: code,
              label: channelNames[lang][code],
            }))}
          />
          <TextField {...shared('external_reference')} maxLength={255} />
        </>
      }
    >
      <TextField {...shared('q')} type="search" hint={texts.searchHint} maxLength={100} />
      <SelectField
        {...shared('state')}
        none={texts.anyState}
        choices={[
          ...listedStates.map((state) => ({
            value: state,
            label: stateNames[lang].requests[state],
          })),
          { value: 'overdue', label: texts.overdue },
        ]}
      />
    </FilterBar>
  );
}
