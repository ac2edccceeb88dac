import type { ListedAccount } from '../../../accounts/http.ts';
import { type Account, accountOpening, accountStates } from '../../../accounts/index.ts';
import { dayOf, formatDay } from '../../../kernel/dates.ts';
import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import { FilterBar, type FilterChip } from '../../../platform/pages/components/filter-bar.tsx';
import { Badge, EmptyState, Pager } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { cuitText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import type { Looked } from './model.ts';
import { accountsTexts, stateTones } from './texts.ts';

export function StateBadge({ lang, state }: Pick<Account, 'state'> & { lang: Lang }) {
  return <Badge tone={stateTones[state]}>{accountsTexts[lang].states[state]}</Badge>;
}

/** Returns the active filters, each with the address that removes it. */
function chipsOf({ lang, at }: ServiceVisit, { words, state }: Looked): FilterChip[] {
  const texts = accountsTexts[lang];
  const without = (parameters: Record<string, string>) =>
    `${at('/accounts')}?${new URLSearchParams(parameters)}`;
  return [
    ...(words === '' ? [] : [{ label: words, without: without(state ? { state } : {}) }]),
    ...(state === null
      ? []
      : [{ label: texts.states[state], without: without(words ? { q: words } : {}) }]),
  ];
}

type Model = { looked: Looked; accounts: readonly ListedAccount[]; next: string | undefined };

export function accountsPage(visit: ServiceVisit, { looked, accounts, next }: Model): Page {
  const { lang, at, may, query } = visit;
  const texts = accountsTexts[lang];
  const { words, state } = looked;
  const create = may('accounts.manage') && (
    <a class="button" href={at('/accounts/new')}>
      {accountOpening.text('submit', lang)}
    </a>
  );
  const chips = chipsOf(visit, looked);
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} actions={create || undefined} />
        <FilterBar lang={lang} action={at('/accounts')} chips={chips}>
          <TextField
            lang={lang}
            name="q"
            type="search"
            label={texts.search}
            hint={texts.searchHint}
            value={words}
            maxLength={100}
          />
          <SelectField
            lang={lang}
            name="state"
            label={texts.state}
            none={texts.anyState}
            value={state ?? ''}
            choices={accountStates.map((value) => ({ value, label: texts.states[value] }))}
          />
        </FilterBar>
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={accounts}
          empty={<EmptyState title={chips.length === 0 ? texts.none : texts.noneFound} />}
          columns={[
            {
              key: 'name',
              title: texts.name,
              heads: true,
              cell: ({ id, name }) => (
                <a href={at(`/accounts/${id}`)}>
                  <bdi>{name}</bdi>
                </a>
              ),
            },
            { key: 'id', title: texts.id, cell: ({ id }) => <code>{id}</code> },
            {
              key: 'cuit',
              title: texts.cuit,
              cell: ({ cuit }) => <span class="whole">{cuitText(cuit)}</span>,
            },
            { key: 'city', title: texts.city, cell: ({ city }) => <bdi>{city}</bdi> },
            {
              key: 'since',
              title: texts.since,
              cell: ({ created_at: created }) => formatDay(dayOf(created)),
            },
            {
              key: 'state',
              title: texts.state,
              cell: (one) => <StateBadge lang={lang} state={one.state} />,
            },
          ]}
        />
        <Pager
          lang={lang}
          first={query.has('behind') ? addressOf(visit, looked) : undefined}
          next={next && addressOf(visit, looked, next)}
        />
      </>
    ),
  };
}

function addressOf({ at }: ServiceVisit, { words, state }: Looked, behind?: string): string {
  const parameters = new URLSearchParams({
    ...(words && { q: words }),
    ...(state && { state }),
    ...(behind && { behind }),
  });
  return parameters.size === 0 ? at('/accounts') : `${at('/accounts')}?${parameters}`;
}
