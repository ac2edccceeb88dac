import { Type } from 'typebox';
import { hasSeveralAccounts } from '../accounts/index.ts';
import { cardDebitAnswer, debitAnswer } from '../debit-requests/http.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { channelCodes } from '../money/channels/index.ts';
import type { Reverse } from '../money/reversals/index.ts';
import { paymentRequestAnswer } from '../payment-requests/http.ts';
import type { Base, Ctx } from '../platform/base.ts';
import type { Endpoint, Endpoints } from '../platform/http/endpoint.ts';
import { amount, integer, moment, oneOf, text } from '../platform/http/fields.ts';
import { form, optional, required } from '../platform/http/form.ts';
import { dateTime } from '../platform/http/shapes.ts';
import { type IdempotencyClaim, referenceOf } from '../platform/idempotency.ts';
import type { Sweeper } from '../platform/sweeps.ts';
import { qrAnswer, transactionAnswer } from '../qr/http.ts';
import { moveClock } from './clock.ts';
import { refusal } from './codes.ts';
import type { SimulatedRequests } from './kinds.ts';

const tag = 'Sandbox';
const largestId = 999_999_999_999_999;
const resultId = integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

const idParams = form({ request_id: required(integer({ min: 1, max: largestId, digits: true })) });

const payForm = form({
  channel: optional(oneOf(channelCodes)),
  amount: optional(amount()),
  installments: optional(integer({ min: 1, max: 60 })),
  card_number: optional(text({ max: 30 })),
  cbu_number: optional(text({ max: 22 })),
});
const chargebackForm = form({ result_id: optional(resultId) });
const refundForm = form({ result_id: optional(resultId), amount: optional(amount()) });
const clockForm = form({
  advance_to: optional(moment()),
  days: optional(integer({ min: 0, max: 1830 })),
  hours: optional(integer({ min: 0, max: 43_920 })),
  minutes: optional(integer({ min: 0, max: 2_635_200 })),
});

const clockAnswer = Type.Object(
  {
    now: dateTime,
    happened: Type.Optional(
      Type.Array(Type.Object({ what: Type.String(), count: Type.Integer() })),
    ),
  },
  { title: 'SandboxClock' },
);
const requestAnswer = Type.Union(
  [
    paymentRequestAnswer,
    debitAnswer,
    cardDebitAnswer,
    qrAnswer,
    transactionAnswer,
    Type.Object({ id: Type.Integer(), state: Type.String() }),
  ],
  {
    title: 'SandboxRequest',
    description: 'The request, as in its GET; only {id, state} for a key without `read`',
  },
);

export interface SandboxParts {
  requests: SimulatedRequests;
  reverse: Reverse;
  base: Base;
  sweeper: Sweeper;
  /** True if any key may move the clock, which all accounts share. */
  sharedClock: boolean;
}

/** Simulates third parties: payers, holders, banks. */
export function sandboxRoutes(endpoints: Endpoints, parts: SandboxParts): void {
  const { requests, base, sweeper } = parts;
  const { clocks } = base;
  const show = async (ctx: Ctx, id: number) => ({
    status: 200,
    body: await requests.show(ctx, id),
  });
  const noContext = () => undefined;

  endpoints.addChanging(
    {
      ...calls.pay,
      body: { wrapper: null, form: payForm, context: noContext },
      params: idParams,
    },
    async ({ ctx, params, body, claim }) => {
      await requests.pay(ctx, params.request_id, body, referenceOf(claim));
      return await show(ctx, params.request_id);
    },
  );

  const takeBack = async (
    ctx: Ctx,
    type: 'chargeback' | 'refund',
    id: number,
    body: { result_id: number | null; amount?: Parameters<Reverse>[0]['amount'] },
    claim: IdempotencyClaim | null,
  ) => {
    await parts.reverse({
      key: { accountId: ctx.accountId, id },
      type,
      resultId: body.result_id,
      amount: body.amount ?? null,
      actor: ctx.actor,
      source: 'simulator',
      sourceRef: referenceOf(claim),
      comment: type === 'refund' ? 'Refunded by the collector.' : 'Reversed by the holder.',
    });
    return await show(ctx, id);
  };

  endpoints.addChanging(
    {
      ...calls.chargeback,
      body: { wrapper: null, form: chargebackForm, context: noContext },
      params: idParams,
    },
    ({ ctx, params, body, claim }) => takeBack(ctx, 'chargeback', params.request_id, body, claim),
  );
  endpoints.addChanging(
    {
      ...calls.refund,
      body: { wrapper: null, form: refundForm, context: noContext },
      params: idParams,
    },
    ({ ctx, params, body, claim }) => takeBack(ctx, 'refund', params.request_id, body, claim),
  );
  endpoints.addChanging(
    {
      ...calls.moveClock,
      body: { wrapper: null, form: clockForm, context: noContext, needsOne: true },
    },
    async ({ ctx: { accountId, actor }, body, claim }) => {
      // All accounts share the clock, so one account's key must not make others' requests fall due.
      if (!parts.sharedClock && (await hasSeveralAccounts(base.sql))) {
        throw refusal('sandbox.shared_clock', {});
      }
      const key = claim && { ...claim, accountId };
      return { status: 200, body: await moveClock({ ...base, actor }, sweeper, body, key) };
    },
  );
  endpoints.add(calls.readClock, async () => ({
    status: 200,
    body: { now: isoDateTime(clocks.business.now()) },
  }));
}

const answer = { status: 200, schema: requestAnswer };
const call = <M extends 'GET' | 'POST', A extends Endpoint<void, void, void, void>['answer']>(
  { id, method, path, summary }: { id: string; method: M; path: string; summary: string },
  answers: A,
) => ({ id, method, path, summary, tag, permission: 'sandbox' as const, answer: answers });

const clock = { status: 200, schema: clockAnswer };
const calls = {
  pay: call(
    {
      id: 'payInSandbox',
      method: 'POST',
      path: '/sandbox/pay/:request_id',
      summary: 'Pay a request as its payer would',
    },
    answer,
  ),
  chargeback: call(
    {
      id: 'chargeBackInSandbox',
      method: 'POST',
      path: '/sandbox/chargeback/:request_id',
      summary: 'Charge a payment back as its holder would',
    },
    answer,
  ),
  refund: call(
    {
      id: 'refundInSandbox',
      method: 'POST',
      path: '/sandbox/refund/:request_id',
      summary: 'Refund a payment, in full or in part',
    },
    answer,
  ),
  moveClock: call(
    {
      id: 'moveSandboxClock',
      method: 'POST',
      path: '/sandbox/clock',
      summary: 'Move the business clock forward',
    },
    clock,
  ),
  readClock: call(
    {
      id: 'getSandboxClock',
      method: 'GET',
      path: '/sandbox/clock',
      summary: 'Read the business clock',
    },
    clock,
  ),
};

/** Serves the same paths in production, with an error that there is no sandbox. */
export function sandboxRefusals(endpoints: Endpoints): void {
  const refuse = () => Promise.reject(refusal('sandbox.production', {}));
  for (const one of Object.values(calls))
    endpoints.add({ ...one, permission: 'any', hidden: true }, refuse);
}
