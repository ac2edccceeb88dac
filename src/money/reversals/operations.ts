import type { Centavos } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { accountId, amount, line, recordId } from '../../platform/http/fields.ts';
import { optional, required } from '../../platform/http/form.ts';
import { operation } from '../../platform/operations.ts';
import type { Reversal } from './reversal.ts';
import type { Reverse } from './reverse.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const shared = { act: 'files.manage', texts: { en, es } } as const;

const takes = {
  account: required(accountId()),
  request: required(recordId()),
  result: optional(recordId()),
  reason: required(line({ max: 255 })),
  reference: required(line({ max: 64 })),
};

interface ReversalInput {
  account: string;
  request: number;
  result: number | null;
  amount?: Centavos | null;
  reason: string;
  reference: string;
}

/** Records money that was returned to the payer outside the service. */
const reversing =
  (type: Reversal['type']) =>
  (
    reverse: Reverse,
    { account, request, result, amount: part = null, reason, reference }: ReversalInput,
    actor: Actor,
  ) =>
    reverse({
      key: { accountId: account, id: request },
      type,
      resultId: result,
      amount: part,
      actor,
      source: 'operator',
      sourceRef: reference,
      comment: reason,
    });

const showing =
  (type: Reversal['type']) =>
  ({ account, request, reference }: ReversalInput, result: Awaited<ReturnType<Reverse>>) => ({
    type,
    reference,
    account,
    request,
    outcome: result.outcome,
    result: result.outcome === 'known' ? null : result.resultId,
  });

/** Records a full or partial refund of a payment. */
export const collectionRefund = operation({
  ...shared,
  name: 'collection.refund',
  takes: { ...takes, amount: optional(amount()) },
  run: reversing('refund'),
  repeat: 'reference',
  command: { shows: showing('refund') },
});

/** Records that a payer or their bank took back a whole payment. */
export const collectionChargeback = operation({
  ...shared,
  name: 'collection.chargeback',
  takes,
  run: reversing('chargeback'),
  repeat: 'reference',
  command: { shows: showing('chargeback') },
});
