import type { ComponentChildren } from 'preact';
import { parseAmount } from '../../../kernel/money.ts';
import { channelCodes } from '../../../money/channels/index.ts';
import type { ResultRow, WithholdingLine } from '../../../money/collections/index.ts';
import type { Proposal } from '../../../money/proposals/index.ts';
import type { Refundable, RefundRow } from '../../../money/refunds/index.ts';
import type { PaymentRequestRow, TimelineStep } from '../../../payment-requests/index.ts';
import { paymentRequestOperations } from '../../../payment-requests/operations.ts';
import { CopyLink, Facts, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { dayText, momentText, moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { RequestState } from '../../../requests/index.ts';
import type { DisputeView } from '../../disputes/model.ts';
import { Disputes } from '../../disputes/table.tsx';
import { channelNames } from '../../frame/channels.ts';
import { commentText } from '../../frame/comments.ts';
import { DeclaredLinks } from '../../frame/declared.tsx';
import type { AccountVisit, Page } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { RequestBadge } from '../../frame/states.tsx';
import { HistoryLink } from '../../history/views.tsx';
import { ProposedRefunds } from '../../refunds/views.tsx';
import { Refunds, Results, Withholdings } from './money.tsx';
import { Steps } from './steps.tsx';
import { oneTexts } from './texts.ts';

/** Links for the payer. A link is null if the request does not offer it now. */
export interface PayerLinks {
  checkout: string;
  coupon: string;
  barcode: string | null;
  qr: string | null;
}

export interface OneModel {
  row: PaymentRequestRow;
  /** State at the current time of the business clock. */
  state: RequestState;
  results: readonly ResultRow[];
  retentions: readonly WithholdingLine[];
  refunds: readonly RefundRow[];
  /** Refunds that another person decides on or has decided on. */
  proposed: readonly Proposal[];
  refundable: readonly Refundable[];
  /** True if the request or its receipt can be mailed to the payer again. */
  mailable: boolean;
  steps: readonly TimelineStep[];
  links: PayerLinks;
  /** Current and past disputes of its payments. */
  disputes: readonly DisputeView[];
  /** Time of the business clock. */
  now: Temporal.Instant;
}

export function onePage(visit: AccountVisit, model: OneModel, refused?: string): Page {
  const { lang, at } = visit;
  const texts = oneTexts[lang];
  const { row, state, results } = model;
  const title = texts.title({ id: row.id });
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead={<RequestBadge lang={lang} state={state} />}
          up={{ href: at('/requests'), label: texts.list }}
          actions={<Acts visit={visit} model={model} />}
        />
        {visit.query.has('sent') && <Notice tone="good" text={texts.sent} />}
        {refused !== undefined && <Notice tone="bad" text={refused} />}
        <div class="columns">
          <Facts items={factsOf(lang, row)} />
          <Links visit={visit} state={state} links={model.links} />
        </div>
        <Items lang={lang} row={row} />
        <Results lang={lang} results={results} />
        <Disputes lang={lang} now={model.now} rows={model.disputes} />
        <Withholdings lang={lang} lines={model.retentions} />
        <ProposedRefunds visit={visit} rows={model.proposed} />
        <Refunds lang={lang} refunds={model.refunds} />
        <Steps lang={lang} steps={model.steps} results={results} />
        {row.details.metadata && (
          <details>
            <summary>{texts.metadata}</summary>
            <pre class="program">{JSON.stringify(row.details.metadata, null, 2)}</pre>
          </details>
        )}
      </>
    ),
  };
}

/** Renders the acts that the viewer may perform now. */
function Acts({ visit, model }: { visit: AccountVisit; model: OneModel }) {
  const { lang, at, may } = visit;
  const texts = oneTexts[lang];
  const { row, state, refundable, mailable } = model;
  return (
    <>
      <HistoryLink visit={visit} path={`/requests/${row.id}`} />
      <DeclaredLinks
        visit={visit}
        operations={paymentRequestOperations}
        of="/requests/:id"
        params={{ id: String(row.id) }}
      />
      {may('requests.send') && mailable && (
        <a class="button button-quiet" href={at(`/requests/${row.id}/resend`)} data-dialog>
          {texts.resend}
        </a>
      )}
      {may('requests.refund') && refundable.length > 0 && (
        <a class="button button-quiet" href={at(`/requests/${row.id}/refund`)}>
          {texts.refund}
        </a>
      )}
      {may('requests.withdraw') && state === 'pending' && (
        <a class="button button-quiet" href={at(`/requests/${row.id}/withdraw`)}>
          {texts.withdraw}
        </a>
      )}
    </>
  );
}

/** Lists the excluded channels by name. */
function excludedText(lang: Lang, excluded: readonly string[]): string {
  return excluded
    .map((one) => {
      const code = channelCodes.find((known) => known.toLowerCase() === one.toLowerCase());
      return code ? channelNames[lang][code] : one;
    })
    .join(', ');
}

function factsOf(lang: Lang, row: PaymentRequestRow) {
  const { facts: texts, due } = oneTexts[lang];
  const { payer_email: email, excluded_channels: excluded } = row.details;
  const dueText = (day: Temporal.PlainDate, total: typeof row.total1): string =>
    due({ day: dayText(lang, day), amount: moneyText(lang, total) });
  const { due2, total2, reference, state_comment: comment } = row;
  const all: (readonly [string, ComponentChildren] | false)[] = [
    [texts.payer, <bdi key="payer">{row.payer}</bdi>],
    email ? [texts.email, <bdi key="email">{email}</bdi>] : false,
    [
      texts.description,
      <bdi key="description" class="lines">
        {row.description}
      </bdi>,
    ],
    reference !== null && [
      texts.reference,
      <bdi key="reference" class="code">
        {reference}
      </bdi>,
    ],
    [texts.firstDue, dueText(row.due1, row.total1)],
    due2 !== null && total2 !== null && [texts.secondDue, dueText(due2, total2)],
    excluded && excluded.length > 0 ? [texts.excluded, excludedText(lang, excluded)] : false,
    [texts.created, momentText(lang, row.created_at)],
    comment ? [texts.why, <bdi key="why">{commentText(lang, comment)}</bdi>] : false,
  ];
  return all.filter((one) => one !== false);
}

type LinksProps = { visit: AccountVisit; state: RequestState; links: PayerLinks };

/** Renders the payer's links, to open or to copy. */
function Links({ visit: { lang, account }, state, links }: LinksProps) {
  const { links: texts, linksClosed } = oneTexts[lang];
  const closed = account.state !== 'active' && state === 'pending';
  const rows = [
    [texts.checkout, links.checkout],
    [texts.coupon, links.coupon],
    [texts.qr, links.qr],
    [texts.barcode, links.barcode],
  ] as const;
  return (
    <Section id="links" title={texts.title}>
      {closed ? (
        <Notice tone="wait" text={linksClosed} />
      ) : (
        <Facts
          items={rows.flatMap(([label, href]) =>
            href === null
              ? []
              : [[label, <CopyLink key={label} lang={lang} label={label} href={href} />] as const],
          )}
        />
      )}
    </Section>
  );
}

function Items({ lang, row }: { lang: Lang; row: PaymentRequestRow }) {
  const texts = oneTexts[lang];
  const items = row.details.items ?? [];
  if (items.length === 0) return null;
  return (
    <Section id="items" title={texts.items}>
      <Table
        lang={lang}
        caption={texts.items}
        captionUnseen
        columns={[
          {
            key: 'item',
            title: texts.item,
            heads: true,
            cell: ({ description }) => <bdi>{description}</bdi>,
          },
          {
            key: 'quantity',
            title: texts.quantity,
            number: true,
            cell: ({ quantity }) => quantity ?? '',
          },
          {
            key: 'amount',
            title: texts.results.amount,
            number: true,
            cell: ({ amount }) => {
              const read = parseAmount(amount);
              return read.ok ? moneyText(lang, read.value) : String(amount);
            },
          },
        ]}
        rows={items}
        empty={null}
      />
    </Section>
  );
}
