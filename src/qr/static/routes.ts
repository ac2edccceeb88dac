import { Type } from 'typebox';
import type { Ctx } from '../../platform/base.ts';
import { readJsonBody } from '../../platform/http/body.ts';
import type { Endpoints } from '../../platform/http/endpoint.ts';
import { text } from '../../platform/http/fields.ts';
import { form, readForm, required } from '../../platform/http/form.ts';
import { referenceOf } from '../../platform/idempotency.ts';
import { refusal } from '../codes.ts';
import { paidAnswer, presentPaid } from '../pay-answer.ts';
import { type QrTerms, refuseUnlessOffered } from '../payload/payload.ts';
import type { CreateStatic } from './create.ts';
import type { PayStatic } from './pay.ts';
import {
  paymentForm,
  type StaticAnswer,
  staticAnswer,
  staticForm,
  type TransactionAnswer,
  transactionAnswer,
  transactionBegun,
  transactionForm,
} from './schema.ts';
import { activePeriod } from './state.ts';
import type { NewTransactionFor } from './transaction.ts';

export interface StaticVerbs {
  create: CreateStatic;
  show(ctx: Ctx, qrId: string): Promise<StaticAnswer | TransactionAnswer>;
  newTransaction: NewTransactionFor;
  pay: PayStatic;
}

const tag = 'Static QR';
const idParams = form({ qr_id: required(text({ max: 64 })) });
const dataQuery = form({ data: required(text({ max: 512 })) });
const noContext = () => undefined;

function addCreate(endpoints: Endpoints, create: CreateStatic): void {
  endpoints.addCreating(
    {
      id: 'createStaticQr',
      method: 'POST',
      path: '/create-qr',
      permission: 'qr:write',
      tag,
      summary: 'Create a static QR',
      body: {
        schema: staticForm.schema,
        read: async (bytes, { accountId }) =>
          readForm(staticForm, (await readJsonBody(bytes)) ?? {}, { accountId }),
      },
      answer: { status: 201, schema: staticAnswer },
    },
    ({ ctx, body, claim }) => create({ ctx, input: body, claim }),
  );
}

function addTransaction(endpoints: Endpoints, newTransaction: NewTransactionFor): void {
  endpoints.addChanging(
    {
      id: 'createStaticQrTransaction',
      method: 'PUT',
      path: '/new-transaction',
      permission: 'qr:write',
      tag,
      summary: 'Charge an amount with a closed-amount static QR',
      description:
        `\`data\` is its qr_string. The transaction lives for \`active_period\` minutes ` +
        `(default ${activePeriod.standard}); an earlier active one expires at once.`,
      query: dataQuery,
      body: { wrapper: null, form: transactionForm, context: noContext },
      answer: { status: 200, schema: transactionBegun },
    },
    async ({ ctx, query, body, claim }) => {
      const order = {
        total: body.first_total,
        minutes: body.active_period ?? activePeriod.standard,
        reference: body.external_reference,
      };
      const { kind, answer } = await newTransaction(ctx, query.data, order, claim);
      return { ...answer, replayed: kind === 'replayed' };
    },
  );
}

export function staticRoutes(
  endpoints: Endpoints,
  { create, show, newTransaction, pay }: StaticVerbs,
  { sandbox, terms }: { sandbox: boolean; terms: QrTerms },
): void {
  addCreate(endpoints, create);
  addTransaction(endpoints, async (...order) => {
    refuseUnlessOffered(terms);
    return await newTransaction(...order);
  });
  endpoints.add(
    {
      id: 'getStaticQrStatus',
      method: 'GET',
      path: '/status-static/:qr_id',
      permission: 'qr:read',
      tag,
      summary: 'Get a static QR, or one of its transactions',
      params: idParams,
      answer: { status: 200, schema: Type.Union([staticAnswer, transactionAnswer]) },
    },
    async ({ ctx, params }) => ({ status: 200, body: await show(ctx, params.qr_id) }),
  );
  endpoints.addChanging(
    {
      id: 'payStaticQr',
      method: 'POST',
      path: '/pay-qr-static/:qr_id',
      permission: sandbox ? 'sandbox' : 'any',
      hidden: !sandbox,
      tag,
      summary: 'Pay a static QR as a wallet would (sandbox)',
      description: 'Pays a transaction or its static QR; send an open amount as first_total.',
      params: idParams,
      // Production refuses the call, whatever its body.
      ...(sandbox && { body: { wrapper: null, form: paymentForm, context: noContext } }),
      answer: { status: 200, schema: paidAnswer },
    },
    async ({ ctx, params, body, claim }) => {
      if (!sandbox) throw refusal('qr.production', {});
      const order = { total: body.first_total, reference: referenceOf(claim) };
      const { code, outcome } = await pay(ctx, params.qr_id, order);
      const { status } = await show(ctx, code);
      return { status: 200, body: presentPaid(code, status, outcome) };
    },
  );
}
