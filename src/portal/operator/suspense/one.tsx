import { formatDay } from '../../../kernel/dates.ts';
import type { SuspenseRow } from '../../../money/suspense/index.ts';
import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import { FilterBar } from '../../../platform/pages/components/filter-bar.tsx';
import { EmptyState, Facts, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText, moneyText, paidText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { mostCompared, type RequestRow } from '../../../requests/index.ts';
import { AccountName } from '../../frame/account-name.tsx';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { RequestBadge } from '../../frame/states.tsx';
import { SuspenseState } from './list.tsx';
import { suspenseTexts } from './texts.ts';

export interface Typed {
  account: string;
  amount: string;
  reference: string;
  text: string;
}

interface OneModel {
  row: SuspenseRow;
  accounts: readonly { id: string; name: string }[];
  typed: Typed;
  amountFault: boolean;
  /** True if the form contains enough to search. */
  searchable: boolean;
  found: readonly RequestRow[];
  /** True if only some of the requests were compared with the name. */
  cut: boolean;
  most: number;
}

interface PartProps {
  visit: ServiceVisit;
  model: OneModel;
}

export function MoneyFacts({ visit, row }: { visit: ServiceVisit; row: SuspenseRow }) {
  const { lang } = visit;
  const texts = suspenseTexts[lang];
  return (
    <Facts
      items={[
        [texts.amount, moneyText(lang, row.amount)],
        [texts.state, <SuspenseState lang={lang} state={row.state} />],
        [texts.paid, paidText(lang, row.paid_at)],
        [texts.channel, row.channel_label],
        [texts.code, <bdi class="code">{row.code || '—'}</bdi>],
        [texts.reason, texts.reasons[row.reason]],
        [texts.source, <bdi>{`${row.source} ${row.source_ref}`}</bdi>],
        [texts.informed, momentText(lang, row.informed_at)],
        ...(row.resolved_at === null
          ? []
          : ([
              [texts.resolved, momentText(lang, row.resolved_at)],
              [texts.note, <bdi>{row.note}</bdi>],
            ] as const)),
        ...(row.to_request_id === null
          ? []
          : ([[texts.to, `${row.to_account_id} · ${row.to_request_id}`]] as const)),
      ]}
    />
  );
}

function Search({ visit, model: { row, accounts, typed, amountFault } }: PartProps) {
  const { lang, at } = visit;
  const { search: texts } = suspenseTexts[lang];
  return (
    <FilterBar lang={lang} action={at(`/suspense/${row.id}`)} chips={[]}>
      <TextField
        lang={lang}
        name="amount"
        label={texts.amount}
        value={typed.amount}
        inputMode="decimal"
        fault={amountFault ? texts.amountFault : undefined}
        short
      />
      <TextField lang={lang} name="reference" label={texts.reference} value={typed.reference} />
      <TextField lang={lang} name="text" label={texts.text} value={typed.text} />
      <SelectField
        lang={lang}
        name="account"
        label={texts.account}
        none={texts.anyAccount}
        value={typed.account}
        choices={accounts.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
      />
    </FilterBar>
  );
}

/** Shows the first total, and the total due until the second due date. */
function Totals({ lang, row }: { lang: Lang; row: RequestRow }) {
  const { second } = suspenseTexts[lang].search;
  return (
    <>
      {moneyText(lang, row.total1)}
      {row.total2 !== null && row.due2 !== null && (
        <span class="aside">
          {second(formatDay(row.due2))} {moneyText(lang, row.total2)}
        </span>
      )}
    </>
  );
}

function Found({ visit, model: { row, accounts, found, searchable, cut, most } }: PartProps) {
  const { lang, at } = visit;
  const { search: texts, amount, state, number } = suspenseTexts[lang];
  if (!searchable) return <p>{texts.more}</p>;
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const to = ({ account_id: account, id }: RequestRow) =>
    at(`/suspense/${row.id}/assign?account=${account}&request=${id}`);
  return (
    <>
      <Table
        lang={lang}
        caption={texts.found}
        rows={found}
        empty={<EmptyState title={texts.none} text={texts.noneWhy} />}
        columns={[
          { key: 'id', title: number, heads: true, cell: ({ id }) => String(id) },
          {
            key: 'account',
            title: texts.account_id,
            cell: (one) => <AccountName visit={visit} id={one.account_id} names={names} />,
          },
          { key: 'payer', title: texts.payer, cell: (one) => <bdi>{one.payer}</bdi> },
          {
            key: 'reference',
            title: texts.reference,
            cell: (one) => <bdi>{one.reference ?? '—'}</bdi>,
          },
          { key: 'due', title: texts.due, cell: (one) => formatDay(one.due1) },
          {
            key: 'state',
            title: state,
            cell: (one) => <RequestBadge lang={lang} state={one.state} />,
          },
          {
            key: 'amount',
            title: amount,
            number: true,
            cell: (one) => <Totals lang={lang} row={one} />,
          },
          {
            key: 'choose',
            title: texts.choose,
            cell: (one) => (
              <a href={to(one)}>
                {texts.choose}
                <span class="unseen"> {one.id}</span>
              </a>
            ),
          },
        ]}
      />
      {found.length === most && <p>{texts.most(most)}</p>}
      {cut && <p>{texts.cut(mostCompared)}</p>}
    </>
  );
}

/** Renders unmatched money, with a search for its request. */
export function onePage(visit: ServiceVisit, model: OneModel): Page {
  const { row } = model;
  const { lang, at } = visit;
  const texts = suspenseTexts[lang];
  const decides = row.state === 'open' && visit.may('suspense.manage');
  return {
    title: texts.one(row.id),
    status: model.amountFault ? 400 : 200,
    body: (
      <>
        <PageHead
          title={texts.one(row.id)}
          up={{ href: at('/suspense'), label: texts.title }}
          actions={
            decides ? (
              <a class="button button-quiet" href={at(`/suspense/${row.id}/return`)}>
                {texts.giveBack.link}
              </a>
            ) : undefined
          }
        />
        <MoneyFacts visit={visit} row={row} />
        {decides && (
          <Section title={texts.search.title} id="search">
            <Search visit={visit} model={model} />
            <Found visit={visit} model={model} />
          </Section>
        )}
      </>
    ),
  };
}
