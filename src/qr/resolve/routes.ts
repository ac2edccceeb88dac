import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../platform/http/server.ts';
import { refusal } from '../codes.ts';
import type { Resolve } from './resolve.ts';
import { resolveAnswer } from './schema.ts';

const textOf = (query: unknown, name: string): string | null => {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

const querySchema = {
  type: 'object',
  required: ['data', 'access_token'],
  properties: {
    data: { type: 'string', description: 'The text of the scanned code' },
    access_token: { type: 'string', description: 'The token of the scheme (RESOLVE_TOKENS)' },
    elapsed_time: { type: 'integer', description: 'Milliseconds since the scan; recorded only' },
    attempt: { type: 'integer', description: 'Number of the attempt; recorded only' },
  },
};

const refusals = {
  400: 'The code is missing',
  401: 'The token is unknown',
  403: 'The token is missing',
  422: 'The text is not an interoperable QR, or was misread',
  429: 'Too many calls at once with this token, or without one from this address: repeat after Retry-After seconds',
  500: 'Something went wrong on our side',
  503: 'The service could not check: repeat the call',
};

export interface ResolveParts {
  resolve: Resolve;
  /** Throws 401 or 403 for a wrong token. */
  checkToken(token: string | null): void;
  /** Counts a call without a token against its address. Throws 429 above the limit. */
  countCall(request: FastifyRequest): void;
  /** Counts a token's call under way. Throws 429 above the limit, else returns what ends it. */
  enter(token: string): () => void;
}

/** Serves GET /resolve for wallets' back ends, whose token is not an API key. */
export function resolveRoutes(
  app: App,
  { resolve, checkToken, countCall, enter }: ResolveParts,
): void {
  const schema = {
    operationId: 'resolveQr',
    tags: ['Resolve'],
    summary: 'Resolve a scanned code, for wallet back ends',
    security: [],
    querystring: querySchema,
    response: {
      200: { description: 'Amount to pay, or why the code cannot be paid', ...resolveAnswer },
      ...Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          status,
          { description, $ref: 'QrError#' },
        ]),
      ),
    },
  };
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = textOf(request.query, 'access_token');
    try {
      checkToken(token);
    } catch (error) {
      countCall(request);
      throw error;
    }
    reply.raw.once('close', enter(`wallet ${token}`));
  };
  app.get('/resolve', { schema, onRequest }, async ({ query }, reply) => {
    const data = textOf(query, 'data');
    if (data === null) throw refusal('qr.resolve_data_missing', {});
    const answer = await resolve(data);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  });
}
