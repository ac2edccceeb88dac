import { formatDay } from '../../../kernel/dates.ts';
import { type Centavos, plus, zero } from '../../../kernel/money.ts';
import type { PaymentRequestRow } from '../../../payment-requests/index.ts';
import type { Refusal } from '../../../platform/errors.ts';
import { Form } from '../../../platform/pages/components/form.tsx';
import { EmptyState, Notice, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import { amountOn } from '../../../requests/index.ts';
import { formTo } from '../../frame/form-to.ts';
import type { AccountVisit, Page } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Message } from '../../frame/message.tsx';
import { bulkTexts } from './bulk-texts.ts';
import { type FilterValues, type ListQuery, queryOf, sortOf } from './query.ts';
import { listTexts } from './texts.ts';

/** Acts on many requests at once, with their permissions. */
export const bulkActs = { withdraw: 'requests.withdraw', resend: 'requests.send' } as const;
export type Bulk = keyof typeof bulkActs;
const bulks = ['resend', 'withdraw'] as const satisfies readonly Bulk[];

/**
 * Maximum number of requests per confirmation: a page can show them, and a call can finish them.
 */
export const mostAtOnce = 200;

const sumOf = (rows: readonly PaymentRequestRow[], today: Temporal.PlainDate): Centavos =>
  rows.reduce((sum, row) => plus(sum, amountOn(row, today)), zero);

/** Returns true if a filter may find pending requests. */
const findsPending = ({ state }: FilterValues): boolean =>
  state === undefined || state === 'pending' || state === 'overdue';

/** Links to the bulk acts on everything that a filter found. */
export function BulkLinks({ visit, asked }: { visit: AccountVisit; asked: ListQuery }) {
  const filtered = Object.keys(asked.values).length > 0;
  if (!filtered || !findsPending(asked.values)) return null;
  const texts = bulkTexts[visit.lang];
  return (
    <p class="actions">
      {bulks
        .filter((bulk) => visit.may(bulkActs[bulk]))
        .map((bulk) => (
          <a
            key={bulk}
            class="button button-quiet"
            href={addressOf(visit, bulk, queryOf(asked.values, sortOf(asked)))}
          >
            {texts[bulk].link}
          </a>
        ))}
    </p>
  );
}

export const addressOf = ({ at }: AccountVisit, bulk: Bulk, query: string): string =>
  at(`/requests/bulk/${bulk}`) + query;

interface ConfirmModel {
  bulk: Bulk;
  /** The filter, as a query. */
  query: string;
  rows: readonly PaymentRequestRow[];
  today: Temporal.PlainDate;
  /** Number of requests left out because they have no email address. */
  withoutAddress: number;
  /** Query of the next requests. Null at the end. */
  next: string | null;
}

/** Renders the confirmation, with each request that it concerns. */
export function confirmPage(visit: AccountVisit, model: ConfirmModel): Page {
  const { bulk, query, rows, today, withoutAddress, next } = model;
  const { lang, at } = visit;
  const texts = bulkTexts[lang];
  const count = rows.length;
  const back = at('/requests') + query;
  return {
    title: texts[bulk].title,
    body: (
      <>
        <PageHead
          title={texts[bulk].title}
          lead={
            count === 0
              ? undefined
              : texts.total({ count, sum: moneyText(lang, sumOf(rows, today)) })
          }
          up={{ href: back, label: listTexts[lang].title }}
        />
        {count > 0 && <p>{texts[bulk].lead}</p>}
        {next !== null && <p>{texts.first({ most: mostAtOnce })}</p>}
        {withoutAddress > 0 && <p>{texts.noAddress({ count: withoutAddress })}</p>}
        {count > 0 && (
          <Form
            {...formTo(visit, addressOf(visit, bulk, ''))}
            submit={texts[bulk].submit({ count })}
            grave={bulk === 'withdraw'}
            back={back}
          >
            <input type="hidden" name="query" value={query} />
            {next !== null && <input type="hidden" name="next_query" value={next} />}
            {rows.map(({ id }) => (
              <input key={id} type="hidden" name="id" value={id} />
            ))}
          </Form>
        )}
        <Requests visit={visit} rows={rows} today={today} none={texts[bulk].none} />
        {count === 0 && next !== null && <NextLink visit={visit} bulk={bulk} next={next} />}
      </>
    ),
  };
}

function NextLink({ visit, bulk, next }: { visit: AccountVisit; bulk: Bulk; next: string }) {
  return (
    <a class="button" href={addressOf(visit, bulk, next)}>
      {bulkTexts[visit.lang].next}
    </a>
  );
}

type RequestsProps = Pick<ConfirmModel, 'rows' | 'today'> & { visit: AccountVisit; none: string };

function Requests({ visit: { lang, at }, rows, today, none }: RequestsProps) {
  const texts = listTexts[lang];
  return (
    <Table
      lang={lang}
      caption={texts.caption}
      captionUnseen
      rows={rows}
      empty={<EmptyState title={none} text={bulkTexts[lang].noneWhy} />}
      columns={[
        {
          key: 'payer',
          title: texts.payer,
          heads: true,
          cell: ({ id, payer }) => (
            <a href={at(`/requests/${id}`)}>
              <bdi>{payer}</bdi>
            </a>
          ),
        },
        { key: 'concept', title: texts.concept, cell: (row) => <bdi>{row.description}</bdi> },
        { key: 'due', title: texts.due, cell: ({ due1 }) => formatDay(due1) },
        {
          key: 'amount',
          title: texts.amount,
          number: true,
          cell: (row) => moneyText(lang, amountOn(row, today)),
        },
      ]}
    />
  );
}

/** A request that was left out, and why. */
export interface Skipped {
  id: number;
  row: PaymentRequestRow | null;
  why: Refusal;
}

interface DoneModel {
  bulk: Bulk;
  query: string;
  next: string | null;
  done: readonly PaymentRequestRow[];
  today: Temporal.PlainDate;
  skipped: readonly Skipped[];
}

/** Reports what was done, and what was left out and why. */
export function donePage(visit: AccountVisit, model: DoneModel): Page {
  const { bulk, query, next, done, today, skipped } = model;
  const { lang, at } = visit;
  const texts = bulkTexts[lang];
  const sum = moneyText(lang, sumOf(done, today));
  return {
    title: texts.result,
    body: (
      <>
        <PageHead
          title={texts.result}
          up={{ href: at('/requests') + query, label: listTexts[lang].title }}
        />
        <Notice
          tone={done.length > 0 ? 'good' : 'calm'}
          title={texts[bulk].done({ count: done.length, sum })}
        />
        {skipped.length > 0 && (
          <Section title={texts.skipped} id="skipped">
            <Table
              lang={lang}
              caption={texts.skipped}
              captionUnseen
              rows={skipped}
              empty={null}
              columns={[
                {
                  key: 'payer',
                  title: listTexts[lang].payer,
                  heads: true,
                  cell: ({ id, row }) => (
                    <a href={at(`/requests/${id}`)}>
                      <bdi>{row?.payer ?? String(id)}</bdi>
                    </a>
                  ),
                },
                {
                  key: 'reason',
                  title: texts.reason,
                  cell: ({ why }) => <Message lang={lang}>{why}</Message>,
                },
              ]}
            />
          </Section>
        )}
        <p class="actions">
          {next !== null && <NextLink visit={visit} bulk={bulk} next={next} />}
          <a class="button button-quiet" href={at('/requests') + query}>
            {texts.back}
          </a>
        </p>
      </>
    ),
  };
}
