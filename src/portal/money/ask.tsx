import type { ComponentChildren } from 'preact';
import type { PayoutCbu } from '../../accounts/index.ts';
import { bankOf } from '../../kernel/banks.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Proposal } from '../../money/proposals/index.ts';
import { TextField } from '../../platform/pages/components/field.tsx';
import { Form } from '../../platform/pages/components/form.tsx';
import { EmptyState, Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../platform/pages/format.ts';
import { ProposalBadge } from '../four-eyes/views.tsx';
import { commentText } from '../frame/comments.ts';
import { formTo } from '../frame/form-to.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { askTexts } from './ask-texts.ts';
import { moneyTexts } from './texts.ts';

export const askPath = '/money/payouts/ask';

export interface AskDraft {
  /** Idempotency key of the form. */
  key: string;
  amount: string;
  fault?: 'amountFault' | 'tooMuch' | 'asked_before';
}

export interface AskModel {
  available: Centavos;
  cbu: PayoutCbu;
  /** The open proposal, if any. */
  open: Proposal | null;
  draft: AskDraft;
}

/** Returns why no payout can be requested now, or null. */
function hindrance({ lang, at }: AccountVisit, { available, cbu, open }: AskModel) {
  const texts = askTexts[lang];
  if (open !== null) {
    return (
      <EmptyState
        title={texts.open({ amount: moneyText(lang, open.amount) })}
        action={<a href={at('/money')}>{moneyTexts[lang].title}</a>}
      >
        <p>{texts.openWhy}</p>
      </EmptyState>
    );
  }
  if (cbu.payout_cbu === null) {
    return <EmptyState title={texts.noCbu} text={texts.noCbuWhy} />;
  }
  return available > 0 ? null : <EmptyState title={texts.none} text={texts.noneWhy} />;
}

/** Renders the form that requests a payout: everything available, or an amount. */
export function askPage(visit: AccountVisit, model: AskModel): Page {
  const { lang, at } = visit;
  const texts = askTexts[lang];
  const { draft, open } = model;
  return {
    title: texts.title,
    status: draft.fault === undefined ? 200 : open === null ? 400 : 409,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/money'), label: moneyTexts[lang].title }}
        />
        {hindrance(visit, model) ?? <AskForm visit={visit} model={model} />}
      </>
    ),
  };
}

function AskForm({ visit, model }: { visit: AccountVisit; model: AskModel }) {
  const { lang, at } = visit;
  const texts = askTexts[lang];
  const { available, cbu, draft } = model;
  const { payout_cbu: present, next_payout_cbu_at: moment } = cbu;
  const action = at(askPath);
  const text = draft.fault === undefined ? undefined : texts[draft.fault];
  const bank = present === null ? '' : `···· ${present.slice(-4)} · ${bankOf(present)}`;
  return (
    <>
      <Facts
        items={[
          [texts.available, moneyText(lang, available)],
          [texts.to, bank],
        ]}
      />
      {moment !== null && (
        <Notice tone="wait" text={texts.changing({ moment: momentText(lang, moment) })} />
      )}
      <Form
        {...formTo(visit, action)}
        submit={texts.ask}
        back={at('/money')}
        faults={text === undefined ? [] : [{ field: 'amount', label: texts.amount, text }]}
      >
        <input type="hidden" name="back" value={action} />
        <input type="hidden" name="key" value={draft.key} />
        <TextField
          lang={lang}
          name="amount"
          label={texts.amount}
          hint={texts.amountHint({ all: moneyText(lang, available) })}
          value={draft.amount}
          fault={text}
          inputMode="decimal"
          maxLength={20}
          short
          optional
        />
      </Form>
    </>
  );
}

interface PayoutRequestsProps {
  visit: AccountVisit;
  /** The open request, then closed ones, newest first. */
  rows: readonly Proposal[];
  /** The form that withdraws the open request. */
  withdraw: ComponentChildren;
}

export function PayoutRequests({ visit, rows, withdraw }: PayoutRequestsProps) {
  const { lang } = visit;
  const texts = askTexts[lang];
  if (rows.length === 0) return null;
  return (
    <Section title={texts.asked} id="asked">
      <Table
        lang={lang}
        caption={texts.asked}
        captionUnseen
        rows={rows}
        empty={null}
        columns={[
          {
            key: 'when',
            title: texts.when,
            heads: true,
            cell: (row) => momentText(lang, row.proposed_at),
          },
          { key: 'state', title: texts.state, cell: (row) => <State visit={visit} row={row} /> },
          {
            key: 'amount',
            title: texts.amount,
            number: true,
            cell: (row) => moneyText(lang, row.amount),
          },
        ]}
      />
      {withdraw}
    </Section>
  );
}

function State({ visit: { lang }, row }: { visit: AccountVisit; row: Proposal }) {
  const texts = askTexts[lang];
  return (
    <>
      <ProposalBadge lang={lang} state={row.state} />
      {row.state === 'waiting' && row.expires_at !== null && (
        <span class="aside">{texts.waits({ moment: momentText(lang, row.expires_at) })}</span>
      )}
      {row.reason !== null && (
        <span class="aside">
          <bdi>{commentText(lang, row.reason)}</bdi>
        </span>
      )}
    </>
  );
}
