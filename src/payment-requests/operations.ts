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
  api: {
    id: 'cancelPaymentRequest',
    method: 'PUT',
    path: '/payment-request/:id/cancel',
    permission: 'payment_requests:write',
    tag: 'Payment requests',
    summary: 'Cancel a payment request that was not paid',
    description:
      'It expires at once. Offline money that still arrives is recorded. ' +
      'Canceling again returns the same answer, so the call is safe to repeat.',
    async answers() {
      const { paymentRequestAnswer } = await import('./answers.ts');
      return { status: 200, schema: paymentRequestAnswer, presents: (canceled) => canceled };
    },
  },
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
