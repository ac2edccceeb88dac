// Longer than 300 lines: the steps of a call, in the order in which they run.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Ctx } from '../base.ts';
import { refusal } from '../codes.ts';
import {
  type CreationOutcome,
  fingerprintOf,
  fingerprintOfLong,
  type IdempotencyClaim,
  longestKey,
} from '../idempotency.ts';
import { currentErrand } from '../postgres/deadlines.ts';
import { type Form, isAbsent, type JsonSchema, readForm, unwrap } from './form.ts';
import { admit, type Gate, onlyReads, type Permission } from './gate.ts';
import { callsByKey } from './keyed-calls.ts';
import { namedErrors } from './named-answers.ts';
import type { App } from './server.ts';

/** Marks optional bodies for the OpenAPI document. */
export const optionalBody = 'x-optional-body';

export interface Call<P, Q, B> {
  ctx: Ctx;
  params: P;
  query: Q;
  body: B;
  claim: IdempotencyClaim | null;
  /** The Accept header. */
  accept: string;
}

/** A response other than JSON. */
export interface Document {
  /** Streams are sent as they are read. A failure midway cuts the connection. */
  content: string | Readable;
  contentType: string;
  /** The download's file name. Null displays it inline. */
  fileName: string | null;
}

export interface Reply {
  status: number;
  /** A value to serialize, or finished JSON text. */
  body: unknown;
  /** Sent instead of `body`. */
  document?: Document;
  /** True for the stored response of an identical call. */
  replayed?: boolean;
}

interface BodyReader<B, C> {
  /** The member that wraps the fields, or null. */
  wrapper: string | null;
  form: Form<B, C>;
  context: (ctx: Ctx) => C | Promise<C>;
  /** Checks against the database, after the form's own checks. Throws a refusal. */
  check?: (ctx: Ctx, fields: B) => Promise<void>;
  /** True if at least one field must be present. */
  needsOne?: boolean;
}

/** A body parsed from bytes, in pieces if it may be large. */
interface BytesReader<B> {
  schema: JsonSchema;
  /** True if the call may come without a body. */
  optional?: boolean;
  read(bytes: Buffer, ctx: Ctx): Promise<B>;
}

export interface Endpoint<P, Q, B, C> {
  /**
   * Operation id in the OpenAPI document. Never change it, because generated clients depend on it.
   */
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Fastify's path, with parameters as `:id`. */
  path: string;
  permission: Permission;
  tag: string;
  summary: string;
  description?: string;
  /** True for endpoints that only refuse, which the reference omits. */
  hidden?: boolean;
  params?: Form<P>;
  query?: Form<Q>;
  body?: BodyReader<B, C> | BytesReader<B>;
  /** Maximum bytes of a body. Default: 1 MiB. */
  bodyLimit?: number;
  /**
   * True for slow calls, of which an account can run only a few at once, or a test of the body's
   * bytes.
   */
  slow?: boolean | ((bytes: Buffer) => boolean);
  /** Status and schema of success, and further media types. */
  answer: { status: number; schema: TSchema; otherTypes?: readonly string[] };
}

type Handler<P, Q, B> = (call: Call<P, Q, B>) => Promise<Reply>;
type Creator<P, Q, B> = (call: Call<P, Q, B>) => Promise<CreationOutcome>;

export interface Endpoints {
  /** Adds an endpoint that sends its handler's result. */
  add<P = void, Q = void, B = void, C = void>(
    endpoint: Endpoint<P, Q, B, C>,
    handler: Handler<P, Q, B>,
  ): void;
  /** Adds an endpoint that creates, with an optional Idempotency-Key. */
  addCreating<P = void, Q = void, B = void, C = void>(
    endpoint: Endpoint<P, Q, B, C>,
    creator: Creator<P, Q, B>,
  ): void;
  /**
   * Adds a changing endpoint that accepts an Idempotency-Key. Stores and replays the first success.
   * The effect must count once under `referenceOf(claim)`, or be harmless if repeated.
   */
  addChanging<P = void, Q = void, B = void, C = void>(
    endpoint: Endpoint<P, Q, B, C>,
    handler: Handler<P, Q, B>,
  ): void;
}

export const jsonType = 'application/json; charset=utf-8';

/**
 * Returns the claim of a creating call, with its route as the path. Returns null without a key.
 * Throws 400 for an invalid one.
 */
async function claimOf(request: FastifyRequest): Promise<IdempotencyClaim | null> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = Array.isArray(header) ? header.join(',') : header;
  if (key === '' || key.length > longestKey) {
    throw refusal('idempotency_key_invalid', { max: longestKey });
  }
  const path = request.routeOptions.url ?? '';
  return { path, key, fingerprint: await fingerprintOfLong(request.rawBody ?? noBytes) };
}

/**
 * Returns the claim of a changing call, with its subject as the path and its query in the
 * fingerprint, so that the same key on two requests means two calls. Null without a key.
 */
async function claimOfChange(request: FastifyRequest): Promise<IdempotencyClaim | null> {
  const claim = await claimOf(request);
  if (!claim) return null;
  const [path = '', query] = request.url.split('?', 2);
  if (query === undefined) return { ...claim, path };
  return {
    ...claim,
    path,
    fingerprint: fingerprintOf(Buffer.from(`${query}\n${claim.fingerprint.toString('hex')}`)),
  };
}

/** Rejects unknown parameters, because a misspelled filter would return everything. */
function refuseUnknownQuery(target: Form<unknown> | undefined, query: unknown): void {
  const allowed = Object.keys((target?.schema.properties as object | undefined) ?? {});
  const unknown = Object.keys(query as object).find((name) => !allowed.includes(name));
  if (unknown === undefined) return;
  const quoted = JSON.stringify(unknown.slice(0, 40).toWellFormed());
  throw refusal('unknown_query_parameter', { name: quoted, allowed: allowed.join(', ') || 'none' });
}

/**
 * Rejects members that request a split, because ignoring them would pay the whole amount to one
 * party.
 */
function refuseSplitting(...bodies: unknown[]): void {
  for (const body of bodies) {
    if (typeof body !== 'object' || body === null || !('transfer_to' in body)) continue;
    if (!isAbsent(body.transfer_to)) throw refusal('transfer_to_unsupported', {});
  }
}

/** Reads a path or a query, which are forms too. Returns undefined if the endpoint has none. */
const readOptional = <T>(target: Form<T> | undefined, value: unknown): T =>
  target ? readForm(target, { ...(value as object) }, undefined) : (undefined as T);

const noBytes = Buffer.alloc(0);

async function readBody<B, C>(
  reader: BodyReader<B, C> | BytesReader<B> | undefined,
  { body, rawBody }: FastifyRequest,
  ctx: Ctx,
): Promise<B> {
  if (!reader) return undefined as B;
  if ('read' in reader) return await reader.read(rawBody ?? noBytes, ctx);
  const fields = reader.wrapper === null ? (body ?? {}) : unwrap(body, reader.wrapper);
  refuseSplitting(body, fields);
  const read = readForm(reader.form, fields, await reader.context(ctx));
  await reader.check?.(ctx, read);
  return read;
}

const idempotencyHeader = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      maxLength: longestKey,
      description: 'Repeating the key with the same body returns the first answer',
    },
  },
};

/** Adds a title to a schema without one. */
const named = <S extends object>(
  schema: S,
  { id }: { id: string },
  what: 'Body' | 'Answer',
): S => ({
  title: `${id.charAt(0).toUpperCase()}${id.slice(1)}${what}`,
  ...schema,
});

function successOf<P, Q, B, C>(endpoint: Endpoint<P, Q, B, C>) {
  const { otherTypes } = endpoint.answer;
  const schema = named(endpoint.answer.schema, endpoint, 'Answer');
  const others = otherTypes?.map((type) => [type, { schema: { type: 'string' } }]) ?? [];
  const content = { 'application/json': { schema }, ...Object.fromEntries(others) };
  return { description: 'Success', content };
}

function bodySchemaOf<B, C>(body: BodyReader<B, C> | BytesReader<B>): JsonSchema {
  if ('read' in body) return body.schema;
  if (body.wrapper === null) return body.form.schema;
  return {
    type: 'object',
    required: [body.wrapper],
    properties: { [body.wrapper]: body.form.schema },
  };
}

function isOptional<B, C>(body: BodyReader<B, C> | BytesReader<B>): boolean {
  if ('read' in body) return body.optional === true;
  return body.wrapper === null && !body.needsOne && !('required' in body.form.schema);
}

function schemaOf<P, Q, B, C>(
  endpoint: Endpoint<P, Q, B, C>,
  creates: boolean,
  errorSchema: string,
): JsonSchema {
  const { body, params, query, answer } = endpoint;
  return {
    ...(endpoint.hidden && { hide: true }),
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: [{ apiKey: [] }],
    // As an extension, because linters only know OAuth scopes.
    'x-permission': endpoint.permission,
    ...(creates && { headers: idempotencyHeader }),
    ...(params && { params: params.schema }),
    ...(query && { querystring: query.schema }),
    ...(body && { body: named(bodySchemaOf(body), endpoint, 'Body') }),
    ...(body && isOptional(body) && { [optionalBody]: true }),
    response: {
      [answer.status]: successOf(endpoint),
      ...namedErrors(
        {
          onlyReads: onlyReads(endpoint.permission),
          // A list's query filters, while a change's query names its target.
          namesThing: params !== undefined || (query !== undefined && endpoint.method !== 'GET'),
          hasBody: body !== undefined,
          creates,
        },
        errorSchema,
      ),
    },
  };
}

function send(reply: FastifyReply, { status, body, document }: Reply): FastifyReply {
  reply.code(status);
  if (!document) {
    return reply.type(jsonType).send(typeof body === 'string' ? body : JSON.stringify(body));
  }
  const { content, contentType, fileName } = document;
  if (fileName !== null) {
    reply.header('content-disposition', `attachment; filename="${fileName}"`);
  }
  return reply.type(contentType).send(content);
}

/**
 * Runs slow calls in their account's turns. A refused call keeps its turn until its response is
 * sent, because a refusal may list 70,000 faults, and a client may read slowly.
 */
const slowCalls =
  (gate: Gate) =>
  async <T>(
    { slow }: Pick<Endpoint<unknown, unknown, unknown, unknown>, 'slow'>,
    { ctx, rawBody }: FastifyRequest,
    { raw }: FastifyReply,
    call: () => Promise<T>,
  ): Promise<T> => {
    const isSlow = typeof slow === 'function' ? slow(rawBody ?? noBytes) : slow;
    if (!isSlow) return await call();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const turn = async (): Promise<void> => {
      try {
        resolve(await call());
      } catch (error) {
        reject(error);
        if (!raw.closed) await once(raw, 'close').catch(() => {});
      }
    };
    gate.slowly((ctx as Ctx).accountId, turn).catch(reject);
    return await promise;
  };

/**
 * Registers endpoints behind the gate: key, limit, permission, forms, then the verb. `errorSchema`
 * names the service's error shape in the OpenAPI document.
 */
export function endpointsOn(app: App, gate: Gate, errorSchema = 'ApiError'): Endpoints {
  const keyed = callsByKey(gate);
  const inTurn = slowCalls(gate);

  const register = <P, Q, B, C>(
    endpoint: Endpoint<P, Q, B, C>,
    creates: boolean,
    respond: (
      call: Omit<Call<P, Q, B>, 'body'>,
      readFields: () => Promise<B>,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<Reply>,
  ): void => {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(endpoint, creates, errorSchema),
      config: { keepsBytes: endpoint.body !== undefined && 'read' in endpoint.body },
      ...(endpoint.bodyLimit !== undefined && { bodyLimit: endpoint.bodyLimit }),
      // Runs before the body is read, so that a call without a valid key costs little.
      onRequest: async (request, reply) => {
        request.ctx = await admit(gate, request, reply, endpoint.permission);
      },
      handler: async (request, reply) => {
        const ctx = request.ctx as Ctx;
        if (endpoint.method === 'GET') refuseUnknownQuery(endpoint.query, request.query);
        const call = {
          ctx,
          params: readOptional(endpoint.params, request.params),
          query: readOptional(endpoint.query, request.query),
          claim: null,
          accept: request.headers.accept ?? '',
        };
        const readFields = () => readBody(endpoint.body, request, ctx);
        const answer = () =>
          inTurn(endpoint, request, reply, () => respond(call, readFields, request, reply));
        if (onlyReads(endpoint.permission)) return send(reply, await answer());
        const written = await gate.writing(ctx.accountId, answer);
        const { cardIn } = currentErrand().trace;
        if (cardIn !== undefined) await gate.cardSeen(ctx.accountId, cardIn);
        return send(reply, written);
      },
    });
  };

  return {
    add: (endpoint, handler) =>
      register(endpoint, false, async (call, readFields) =>
        handler({ ...call, body: await readFields() }),
      ),
    addChanging: (endpoint, handler) =>
      register(endpoint, true, async (call, readFields, request, reply) => {
        const claim = await claimOfChange(request);
        const change = async () => handler({ ...call, body: await readFields(), claim });
        if (!claim) return await change();
        return await keyed.once({ ...claim, accountId: call.ctx.accountId }, reply, change);
      }),
    addCreating: (endpoint, creator) =>
      register(endpoint, true, async (call, readFields, request, reply) => {
        const claim = await claimOf(request);
        if (!claim) {
          return (await creator({ ...call, body: await readFields() })).answer;
        }
        const { accountId } = call.ctx;
        return await keyed.created({ ...claim, accountId }, reply, readFields, (body) =>
          creator({ ...call, body, claim }),
        );
      }),
  };
}
