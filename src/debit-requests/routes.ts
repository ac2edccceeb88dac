import type { TSchema } from 'typebox';
import type { Calendar } from '../calendar/index.ts';
import type { Ctx } from '../platform/base.ts';
import type { Clocks } from '../platform/clocks.ts';
import type { Endpoints } from '../platform/http/endpoint.ts';
import { flag, integer } from '../platform/http/fields.ts';
import { type Form, form, optional, required } from '../platform/http/form.ts';
import { listDescription, presentPage } from '../platform/http/paging.ts';
import { pageAnswer } from '../platform/http/shapes.ts';
import type { CreationOutcome } from '../platform/idempotency.ts';
import {
  cardDebitAnswer,
  createdCardDebitAnswer,
  createdDebitAnswer,
  debitAnswer,
} from './answers.ts';
import { debitRequestForm } from './bank/schema.ts';
import { cardDebitForm } from './card/schema.ts';
import type { CreateDebit } from './create.ts';
import type { DebitKind } from './debit.ts';
import { listQuery } from './list.ts';
import type { DebitRequests } from './open.ts';
import { presentDetailed } from './present.ts';
import type { TermsOf } from './timing.ts';

const largestId = 999_999_999_999_999;
const idParams = form({ id: required(integer({ min: 0, max: largestId, digits: true })) });
const detailQuery = form({ detail_retentions: optional(flag()) });

interface Noun<I, C> {
  kind: DebitKind;
  /** Name of the noun in operation ids. */
  type: string;
  path: string;
  name: string;
  tag: string;
  form: Form<I, C>;
  context(ctx: Ctx): Promise<C>;
  created: TSchema;
  answer: TSchema;
  create(call: CreateDebit<I>): Promise<CreationOutcome>;
}

/** Adds the same four routes for either kind. Only bodies and responses differ. */
function nounRoutes<I, C>(
  endpoints: Endpoints,
  noun: Noun<I, C>,
  { get, cancel, list }: DebitRequests,
): void {
  const { kind, type, path, name, tag } = noun;
  endpoints.addCreating(
    {
      id: `create${type}`,
      method: 'POST',
      path,
      permission: 'debits:write',
      tag,
      summary: `Create a ${name} on a signed adhesion`,
      body: { wrapper: kind, form: noun.form, context: noun.context },
      answer: { status: 201, schema: noun.created },
    },
    ({ ctx, body, claim }) => noun.create({ ctx, input: body, claim }),
  );
  endpoints.add(
    {
      id: `get${type}`,
      method: 'GET',
      path: `${path}/:id`,
      permission: 'debits:read',
      tag,
      summary: `Get a ${name} with its payments, refunds and chargebacks`,
      params: idParams,
      query: detailQuery,
      answer: { status: 200, schema: noun.answer },
    },
    async ({ ctx, params, query }) => {
      const detailRetentions = query.detail_retentions ?? false;
      const found = await get(ctx, kind, { id: params.id, detailRetentions });
      return { status: 200, body: presentDetailed(found) };
    },
  );
  endpoints.add(
    {
      id: `cancel${type}`,
      method: 'PUT',
      path: `${path}/:id/cancel`,
      permission: 'debits:write',
      tag,
      summary: `Cancel a ${name} that was not submitted yet`,
      description: 'Canceling again returns the same answer, so the call is safe to repeat.',
      params: idParams,
      answer: { status: 200, schema: noun.answer },
    },
    async ({ ctx, params }) => ({
      status: 200,
      body: presentDetailed(await cancel(ctx, kind, params.id)),
    }),
  );
  endpoints.add(
    {
      id: `list${type}s`,
      method: 'GET',
      path,
      permission: 'debits:read',
      tag,
      summary: `List ${name}s`,
      description: listDescription,
      query: listQuery,
      slow: true,
      answer: { status: 200, schema: pageAnswer(noun.answer) },
    },
    async ({ ctx, query }) => ({
      status: 200,
      body: presentPage(await list(ctx, kind, query), (found) =>
        presentDetailed({ ...found, retentions: null }),
      ),
    }),
  );
}

interface RouteParts {
  clocks: Clocks;
  loadCalendar(): Promise<Calendar>;
  termsOf: TermsOf;
}

export function debitRequestRoutes(
  endpoints: Endpoints,
  debits: DebitRequests,
  { clocks, loadCalendar, termsOf }: RouteParts,
): void {
  const context = async ({ accountId }: Ctx) => ({
    today: clocks.business.today(),
    calendar: await loadCalendar(),
    terms: await termsOf(accountId),
  });
  nounRoutes(
    endpoints,
    {
      kind: 'debit_request',
      type: 'DebitRequest',
      path: '/debit-request',
      name: 'CBU debit request',
      tag: 'CBU debit requests',
      form: debitRequestForm,
      context,
      created: createdDebitAnswer,
      answer: debitAnswer,
      create: debits.createBank,
    },
    debits,
  );
  nounRoutes(
    endpoints,
    {
      kind: 'card_debit_request',
      type: 'CardDebitRequest',
      path: '/card-debit-request',
      name: 'card debit request',
      tag: 'Card debit requests',
      form: cardDebitForm,
      context,
      created: createdCardDebitAnswer,
      answer: cardDebitAnswer,
      create: debits.createCard,
    },
    debits,
  );
}
