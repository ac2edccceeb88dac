import type { TSchema } from 'typebox';
import type { Endpoints } from '../platform/http/endpoint.ts';
import { integer } from '../platform/http/fields.ts';
import { type Form, form, required } from '../platform/http/form.ts';
import { listDescription, presentPage } from '../platform/http/paging.ts';
import { pageAnswer } from '../platform/http/shapes.ts';
import { bankMandateAnswer, cardMandateAnswer, publicKeyAnswer } from './answers.ts';
import { bankMandateForm } from './bank/schema.ts';
import { cardMandateForm } from './card/schema.ts';
import type { CreateMandate } from './create.ts';
import { listQuery } from './list.ts';
import type { MandateKind } from './mandate.ts';
import type { MandateVerbs } from './open.ts';
import { presentMandate, presentPublicKey } from './present.ts';

const largestId = Number.MAX_SAFE_INTEGER;
const idParams = form({ id: required(integer({ min: 0, max: largestId, digits: true })) });

interface Noun<I, C> {
  kind: MandateKind;
  /** Name of the noun in operation ids. */
  type: string;
  path: string;
  name: string;
  tag: string;
  form: Form<I, C>;
  context: () => C;
  answer: TSchema;
  create: CreateMandate<I>;
}

/** Adds the same three routes for either kind. Only bodies and responses differ. */
function nounRoutes<I, C>(
  endpoints: Endpoints,
  noun: Noun<I, C>,
  { get, list }: MandateVerbs,
): void {
  const { kind, type, path, name, tag, answer } = noun;
  endpoints.addCreating(
    {
      id: `create${type}`,
      method: 'POST',
      path,
      permission: 'mandates:write',
      tag,
      summary: `Create a ${name}: its holder is sent a link to sign it`,
      description:
        'The operator limits signing mails per mailbox, and per account and minute; mails above the ' +
        'limit are sent later. Returns 409 if the account has reached its limit of unsigned mandates.',
      body: { wrapper: kind, form: noun.form, context: noun.context },
      answer: { status: 201, schema: answer },
    },
    ({ ctx, body, claim }) => noun.create({ ctx, input: body, claim }),
  );
  endpoints.add(
    {
      id: `get${type}`,
      method: 'GET',
      path: `${path}/:id`,
      permission: 'mandates:read',
      tag,
      summary: `Get a ${name}`,
      params: idParams,
      answer: { status: 200, schema: answer },
    },
    async ({ ctx, params }) => ({
      status: 200,
      body: presentMandate(await get(ctx, kind, params.id)),
    }),
  );
  endpoints.add(
    {
      id: `list${type}s`,
      method: 'GET',
      path,
      permission: 'mandates:read',
      tag,
      summary: `List ${name}s`,
      description: listDescription,
      query: listQuery,
      slow: true,
      answer: { status: 200, schema: pageAnswer(answer) },
    },
    async ({ ctx, query }) => ({
      status: 200,
      body: presentPage(await list(ctx, kind, query), presentMandate),
    }),
  );
}

export function mandateRoutes(endpoints: Endpoints, mandates: MandateVerbs): void {
  nounRoutes(
    endpoints,
    {
      kind: 'adhesion',
      type: 'Adhesion',
      path: '/adhesion',
      name: 'CBU adhesion',
      tag: 'CBU adhesions',
      form: bankMandateForm,
      context: () => undefined,
      answer: bankMandateAnswer,
      create: mandates.createBank,
    },
    mandates,
  );
  // Must precede the path with an id, which would match its name.
  endpoints.add(
    {
      id: 'getCardAdhesionPublicKey',
      method: 'GET',
      path: '/card-adhesion/public-key',
      permission: 'mandates:read',
      tag: 'Card adhesions',
      summary: "Get the account's public key for encrypting card numbers",
      description:
        'The key changes every month; numbers encrypted with the previous key are accepted for 7 more ' +
        'days. Encrypt the number only.',
      answer: { status: 200, schema: publicKeyAnswer },
    },
    async ({ ctx }) => ({
      status: 200,
      body: presentPublicKey(await mandates.publicKey(ctx.accountId)),
    }),
  );
  nounRoutes(
    endpoints,
    {
      kind: 'card_adhesion',
      type: 'CardAdhesion',
      path: '/card-adhesion',
      name: 'card adhesion',
      tag: 'Card adhesions',
      form: cardMandateForm,
      context: () => ({ keepsCards: mandates.cards.way() !== null }),
      answer: cardMandateAnswer,
      create: mandates.createCard,
    },
    mandates,
  );
}
