import type { Ctx } from '../platform/base.ts';
import { accountId, recordId } from '../platform/http/fields.ts';
import { required } from '../platform/http/form.ts';
import type { BaseOperation } from '../platform/http/operation-api.ts';
import { operation } from '../platform/operations.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const takes = { account: required(accountId()), id: required(recordId()) };

type Verb = (ctx: Ctx, id: number) => Promise<unknown>;

/** Expires a pending request at once. */
export const requestWithdrawing = operation({
  name: 'payment_request.withdraw',
  act: 'requests.withdraw',
  texts: { en, es },
  takes,
  repeat: 'natural',
  run: (withdraw: Verb, { account, id }, actor) => withdraw({ accountId: account, actor }, id),
});

/** Sends the payer the request, or the receipt of its payment, again. */
export const requestResending = operation({
  name: 'payment_request.resend',
  act: 'requests.send',
  texts: { en, es },
  takes,
  repeat: { again: 'another mail, at most five a day' },
  run: (resend: Verb, { account, id }, actor) => resend({ accountId: account, actor }, id),
});

export const paymentRequestOperations: readonly BaseOperation[] = [];
