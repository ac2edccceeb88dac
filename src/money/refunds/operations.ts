import type { Centavos } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { accountId, amount, line, recordId } from '../../platform/http/fields.ts';
import { optional, required } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import { operation } from '../../platform/operations.ts';
import type { EndRefund } from './end.ts';
import type { RefundRow } from './refund.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const texts = { en, es };
const shared = { act: 'files.manage', texts } as const;
const id = required(recordId());
const account = required(accountId());

const mostListed = 10_000;

/** Lists refunds that the operator transfers because their channel cannot. */
export const refundList = listing({
  ...shared,
  name: 'refund.list',
  account: 'optional',
  whole: true,
  read: async (sql, part) =>
    (await import('./store-reads.ts')).readTransfers(sql, part.account, mostListed),
  columns: {
    id: { kind: 'text', of: (row: RefundRow) => row.id },
    account: { kind: 'text', of: (row) => row.account_id },
    request: { kind: 'text', of: (row) => row.request_id },
    amount: { kind: 'money', of: (row) => row.amount },
    cbu: { kind: 'text', of: (row) => row.cbu },
    requested_at: { kind: 'moment', of: (row) => row.requested_at },
  },
});

/** Records that the operator transferred a refund. */
export const refundDone = operation({
  ...shared,
  name: 'refund.done',
  repeat: 'natural',
  takes: { id, account, reference: required(line({ max: 64 })) },
  run: (end: EndRefund, { id: refundId, account: of, reference }, actor) =>
    end({ accountId: of, id: refundId, state: 'done', comment: reference, actor }),
  command: {
    arguments: ['id'],
    shows: ({ id: refund }) => ({ refund, state: 'done' }),
  },
});

/** Records that a refund cannot be transferred. */
export const refundFailing = operation({
  ...shared,
  name: 'refund.fail',
  repeat: 'natural',
  takes: { id, account, reason: required(line({ max: 255 })) },
  run: (end: EndRefund, { id: refundId, account: of, reason }, actor) =>
    end({ accountId: of, id: refundId, state: 'failed', comment: reason, actor }),
  command: {
    arguments: ['id'],
    shows: ({ id: refund }) => ({ refund, state: 'failed' }),
  },
});

/** Sets the amount above which a refund needs two people. Null disables the limit. */
export type LimitRefunds = (above: Centavos | null, actor: Actor) => Promise<void>;

/** Limits the amount that one person may refund in the portal. */
export const refundLimiting = operation({
  name: 'refund.limit',
  repeat: 'natural',
  act: 'refunds.limit',
  texts,
  takes: { above: optional(amount({ min: 0 })) },
  async run(limit: LimitRefunds, { above }, actor) {
    await limit(above, actor);
    return 'saved';
  },
});
