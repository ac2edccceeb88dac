import type { ComponentChildren } from 'preact';
import type { Centavos } from '../../kernel/money.ts';
import type { Proposal } from '../../money/proposals/index.ts';
import {
  Badge,
  Facts,
  Figures,
  Section,
  type Tone,
} from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { grouped, momentText, moneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { AccountName } from '../frame/account-name.tsx';
import type { OwnVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { fourEyesTexts } from './texts.ts';

const tones: Record<Proposal['state'], Tone> = {
  waiting: 'wait',
  approved: 'good',
  rejected: 'bad',
  expired: 'calm',
};

/** A visitor who reads proposals: a user of an account, or of the service. */
export type Reader = OwnVisit & { at(path: string): string };

export function ProposalBadge({ lang, state }: { lang: Lang; state: Proposal['state'] }) {
  return <Badge tone={tones[state]}>{fourEyesTexts[lang].states[state]}</Badge>;
}

/** Returns the columns of account and reference, for operators. */
export const columnsOfService = (
  visit: Reader,
  names: ReadonlyMap<string, string>,
): TableColumn<Proposal>[] => {
  const texts = fourEyesTexts[visit.lang];
  return [
    {
      key: 'account',
      title: texts.account,
      cell: (row) => <AccountName visit={visit} id={row.account_id} names={names} />,
    },
    { key: 'reference', title: texts.reference, cell: (row) => <bdi>{row.reference}</bdi> },
  ];
};

interface TableProps {
  visit: Reader;
  /** Path of the kind's pages, such as `/payouts`. */
  path: string;
  title: string;
  rows: readonly Proposal[];
  empty: string;
  /** Names of accounts, for the operator's columns. */
  names?: ReadonlyMap<string, string>;
  /** Columns about the subject. Default: the operator's columns. */
  about?: readonly TableColumn<Proposal>[];
}

export function Proposals(props: TableProps) {
  const { visit, path, title, rows, empty, about, names = new Map() } = props;
  const { lang, at } = visit;
  const texts = fourEyesTexts[lang];
  return (
    <Table
      lang={lang}
      caption={title}
      captionUnseen
      rows={rows}
      empty={<p>{empty}</p>}
      columns={[
        {
          key: 'id',
          title: texts.number,
          heads: true,
          cell: ({ id }) => <a href={at(`${path}/proposals/${id}`)}>{id}</a>,
        },
        ...(about ?? columnsOfService(visit, names)),
        { key: 'at', title: texts.proposedAt, cell: (row) => momentText(lang, row.proposed_at) },
        {
          key: 'state',
          title: texts.state,
          cell: ({ state }) => <ProposalBadge lang={lang} state={state} />,
        },
        {
          key: 'amount',
          title: texts.amount,
          number: true,
          cell: ({ amount }) => moneyText(lang, amount),
        },
      ]}
    />
  );
}

export interface ProposalModel {
  row: Proposal;
  names: ReadonlyMap<number, string>;
  /**
   * Balance before and after the proposal: for a refund the whole balance, else the available one.
   * Null if unknown or hidden.
   */
  balances: { before: Centavos; after: Centavos } | null;
  /** Facts about the subject. */
  facts: readonly (readonly [string, ComponentChildren])[];
}

interface ProposalPlace {
  path: string;
  title: string;
  up: string;
}

/** Forms of both decisions. False if the visitor may not decide. */
export interface DecisionForms {
  approve: ComponentChildren;
  reject: ComponentChildren;
}

function ProposalFacts({ visit, model }: { visit: Reader; model: ProposalModel }) {
  const { lang } = visit;
  const texts = fourEyesTexts[lang];
  const { row, names } = model;
  const { note, cbu } = row.terms;
  const nameOf = (id: number) => <bdi>{names.get(id) ?? String(id)}</bdi>;
  return (
    <Facts
      items={[
        ...model.facts,
        [texts.state, <ProposalBadge lang={lang} state={row.state} />],
        ...(typeof note === 'string' ? ([[texts.note, <bdi>{note}</bdi>]] as const) : []),
        ...(typeof cbu === 'string' ? ([[texts.cbu, grouped(cbu)]] as const) : []),
        [texts.proposedBy, nameOf(row.proposed_by)],
        [texts.proposedAt, momentText(lang, row.proposed_at)],
        ...(row.state === 'waiting' && row.expires_at !== null
          ? ([[texts.lapsesAt, momentText(lang, row.expires_at)]] as const)
          : []),
        ...(row.first_approved_by === null
          ? []
          : ([[texts.firstApprovedBy, nameOf(row.first_approved_by)]] as const)),
        ...(row.decided_by === null || row.decided_at === null
          ? []
          : ([
              [texts.decidedBy, nameOf(row.decided_by)],
              [texts.decidedAt, momentText(lang, row.decided_at)],
            ] as const)),
        ...(row.reason === null ? [] : ([[texts.reason, <bdi>{row.reason}</bdi>]] as const)),
      ]}
    />
  );
}

function Decide({ visit, row, forms }: { visit: Reader; row: Proposal; forms: DecisionForms }) {
  const texts = fourEyesTexts[visit.lang];
  const own = row.proposed_by === visit.user.id;
  const approvedFirst = row.first_approved_by === visit.user.id;
  return (
    <>
      {forms.approve && (
        <Section title={texts.approve} id="approve">
          {own || approvedFirst ? (
            <p>{own ? texts.own : texts.firstOwn}</p>
          ) : (
            <>
              <p>{texts.approveLead}</p>
              {forms.approve}
            </>
          )}
        </Section>
      )}
      {forms.reject && (
        <Section title={texts.reject} id="reject">
          {forms.reject}
        </Section>
      )}
    </>
  );
}

export function proposalPage(
  visit: Reader,
  model: ProposalModel,
  place: ProposalPlace,
  forms: DecisionForms,
): Page {
  const { lang, at } = visit;
  const texts = fourEyesTexts[lang];
  const { row, balances } = model;
  const { before, after } = row.kind === 'refund' ? texts.whole : texts;
  return {
    title: place.title,
    body: (
      <>
        <PageHead title={place.title} up={{ href: at(place.path), label: place.up }} />
        <Figures
          items={[
            { label: texts.amount, value: moneyText(lang, row.amount) },
            ...(balances === null
              ? []
              : [
                  { label: before, value: moneyText(lang, balances.before) },
                  { label: after, value: moneyText(lang, balances.after) },
                ]),
          ]}
        />
        <ProposalFacts visit={visit} model={model} />
        {row.state === 'waiting' && <Decide visit={visit} row={row} forms={forms} />}
      </>
    ),
  };
}
