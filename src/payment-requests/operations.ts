import type { Ctx } from '../platform/base.ts';
import { accountId, recordId } from '../platform/http/fields.ts';
import { required } from '../platform/http/form.ts';
import type { BaseOperation } from '../platform/http/operation-api.ts';
import { operation } from '../platform/operations.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const takes = { account: required(accountId()), id: required(recordId()) };

type Verb = (ctx: Ctx, id: number) => Promise<unknown>;

/** A pending request expires now. */
export const requestWithdrawing = operation({
  name: 'payment_request.withdraw',
  act: 'requests.withdraw',
  texts: { en, es },
  takes,
  repeat: 'natural',
  run: (withdraw: Verb, { account, id }, actor) => withdraw({ accountId: account, actor }, id),
});

/** The payer gets the request, or the receipt of what was paid, once more. */
export const requestResending = operation({
  name: 'payment_request.resend',
  act: 'requests.send',
  texts: { en, es },
  takes,
  repeat: { again: 'another mail, at most five a day' },
  run: (resend: Verb, { account, id }, actor) => resend({ accountId: account, actor }, id),
});

/** Operations on payment requests whose declaration serves every door. */
export const paymentRequestOperations: readonly BaseOperation[] = [];
