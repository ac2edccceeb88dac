import type { Centavos } from '../../../kernel/money.ts';
import { type ChannelCode, channelCodes } from '../../../money/channels/index.ts';
import { type FoundRequest, isLive, type ResultRow } from '../../../money/collections/index.ts';
import { SelectField, TextField } from '../../../platform/pages/components/field.tsx';
import {
  type FieldFault,
  Form,
  faultIn,
  statusOf,
} from '../../../platform/pages/components/form.tsx';
import { EmptyState, Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { moneyText, paidText } from '../../../platform/pages/format.ts';
import { channelNames } from '../../frame/channels.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { RequestBadge } from '../../frame/states.tsx';
import { sandboxTexts } from './texts.ts';

/** The submitted payment form and its faults. */
export interface PayDraft {
  channel: ChannelCode | '';
  amount: string;
  card: string;
  faults: readonly FieldFault[];
}

export const emptyDraft: PayDraft = { channel: '', amount: '', card: '', faults: [] };

export interface RequestModel {
  found: FoundRequest;
  due: Centavos;
  /** Idempotency key of this page's forms. */
  reference: string;
  draft: PayDraft;
  /** Reason of a refused form. */
  refusal?: string;
  status?: number;
}

/** Renders a request with forms that simulate its payment and a chargeback. */
export function requestPage(visit: ServiceVisit, model: RequestModel): Page {
  const { lang, at } = visit;
  const texts = sandboxTexts[lang];
  const { row } = model.found;
  const title = `${texts.kinds[row.kind]} ${row.id}`;
  const status = model.status ?? statusOf(model.draft.faults);
  return {
    title,
    status,
    body: (
      <>
        <PageHead title={title} up={{ href: at('/sandbox'), label: texts.title }} />
        {model.refusal !== undefined && (
          <Notice tone="bad" title={texts.refused}>
            <p>{model.refusal}</p>
          </Notice>
        )}
        {visit.query.has('done') && (
          <Notice tone="good">
            <p>{texts.done}</p>
          </Notice>
        )}
        <Facts
          items={[
            [
              texts.account,
              <a href={at(`/accounts/${row.account_id}`)}>
                <code>{row.account_id}</code>
              </a>,
            ],
            [texts.payer, <bdi>{row.payer}</bdi>],
            [texts.state, <RequestBadge lang={lang} state={row.state} />],
            [texts.due, moneyText(lang, model.due)],
          ]}
        />
        <PayForm visit={visit} model={model} />
        <Results visit={visit} model={model} />
      </>
    ),
  };
}

type ModelProps = { visit: ServiceVisit; model: RequestModel };

function PayForm({ visit, model: { found, draft, reference } }: ModelProps) {
  const { lang, at, token } = visit;
  const texts = sandboxTexts[lang];
  const { id, kind } = found.row;
  const action = at(`/sandbox/requests/${id}/pay/${reference}`);
  const faultOf = faultIn(draft.faults);
  return (
    <Section id="pay" title={texts.pay}>
      <Form
        lang={lang}
        action={action}
        token={token(action)}
        faults={draft.faults}
        submit={texts.pay}
      >
        {kind === 'payment_request' ? (
          <>
            <SelectField
              lang={lang}
              name="channel"
              label={texts.channel}
              value={draft.channel}
              none={texts.cash}
              choices={channelCodes
                .filter((one) => one !== 'non_banking')
                .map((value) => ({ value, label: channelNames[lang][value] }))}
            />
            <TextField
              lang={lang}
              name="amount"
              label={texts.amount}
              hint={texts.amountHint}
              value={draft.amount}
              fault={faultOf('amount')}
              inputMode="decimal"
              short
            />
            <TextField
              lang={lang}
              name="card"
              label={texts.card}
              hint={texts.cardHint}
              value={draft.card}
              inputMode="numeric"
              maxLength={30}
              autocomplete="off"
            />
          </>
        ) : (
          <p>{texts.channelHint}</p>
        )}
      </Form>
    </Section>
  );
}

function Results({ visit, model: { found, reference } }: ModelProps) {
  const { lang } = visit;
  const texts = sandboxTexts[lang];
  return (
    <Section id="results" title={texts.results}>
      <Table
        lang={lang}
        caption={texts.results}
        captionUnseen
        rows={found.results}
        empty={<EmptyState title={texts.noResults} />}
        columns={[
          {
            key: 'what',
            title: texts.what,
            heads: true,
            cell: ({ type }) => texts.resultTypes[type],
          },
          { key: 'when', title: texts.when, cell: (row) => paidText(lang, row.paid_at) },
          { key: 'channel', title: texts.channel, cell: (row) => row.channel_label },
          {
            key: 'amount',
            title: texts.amount,
            number: true,
            cell: ({ amount }) => moneyText(lang, amount),
          },
          {
            key: 'chargeback',
            title: texts.chargeback,
            cell: (row) =>
              isLive(row) ? <ChargebackForm visit={visit} row={row} reference={reference} /> : '',
          },
        ]}
      />
    </Section>
  );
}

type ChargebackProps = { visit: ServiceVisit; row: ResultRow; reference: string };

function ChargebackForm({ visit: { lang, at, token }, row, reference }: ChargebackProps) {
  const action = at(`/sandbox/requests/${row.request_id}/chargeback/${reference}`);
  return (
    <form method="post" action={action}>
      <input type="hidden" name="token" value={token(action)} />
      <input type="hidden" name="result" value={row.id} />
      <button type="submit" class="button button-quiet">
        {sandboxTexts[lang].chargeback}
      </button>
    </form>
  );
}
