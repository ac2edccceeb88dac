import { accountId, line, recordId } from '../../platform/http/fields.ts';
import { required } from '../../platform/http/form.ts';
import type { ListPage } from '../../platform/list-page.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import type { AssignSuspense, ReturnSuspense } from './resolve.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };
const id = required(recordId());
const note = required(line({ max: 255 }));

/** Assigns suspense money to its request as a payment. */
export const suspenseAssigning = operation({
  name: 'suspense.assign',
  repeat: 'natural',
  act: 'suspense.manage',
  texts,
  takes: { id, account: required(accountId()), request: required(recordId()), note },
  run: (assign: AssignSuspense, { id: suspenseId, account, request, note: why }, actor) =>
    assign({ id: suspenseId, to: { accountId: account, id: request }, note: why, actor }),
  command: {
    arguments: ['id'],
    flags: { note: 'reason' },
    shows: ({ id: suspenseId, account, request }) => ({ id: suspenseId, account, request }),
  },
});

/** Records that suspense money was returned to its payer. */
export const suspenseReturning = operation({
  name: 'suspense.return',
  repeat: 'natural',
  act: 'suspense.manage',
  texts,
  takes: { id, note },
  run: (giveBack: ReturnSuspense, { id: suspenseId, note: why }, actor) =>
    giveBack({ id: suspenseId, note: why, actor }),
  command: {
    arguments: ['id'],
    flags: { note: 'reason' },
    shows: ({ id: suspenseId }) => ({ id: suspenseId }),
  },
});

/** Lists money that no known request claims. */
export const suspenseList = listing({
  name: 'suspense.list',
  act: 'suspense.see',
  texts,
  read: async (sql: Sql, part: ListPage & { all: boolean }) =>
    (await import('./reads.ts')).listSuspense(sql, part),
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    state: { kind: 'choice', of: (row) => row.state },
    reason: { kind: 'choice', of: (row) => row.reason },
    channel: { kind: 'text', of: (row) => row.channel_label },
    code: { kind: 'code', of: (row) => row.code },
    amount: { kind: 'money', of: (row) => row.amount },
    paid_at: { kind: 'moment', of: (row) => row.paid_at },
    source: { kind: 'text', of: (row) => `${row.source} ${row.source_ref}` },
    informed_at: { kind: 'moment', of: (row) => row.informed_at },
    account: { kind: 'text', of: (row) => row.to_account_id },
    request: { kind: 'text', of: (row) => row.to_request_id },
    note: { kind: 'text', of: (row) => row.note },
  },
});
