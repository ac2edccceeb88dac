import { refusal } from '../codes.ts';
import { refusalAnswer } from './answers.ts';
import { type App, sendError } from './server.ts';

const requestMethodHeader = 'access-control-request-method';

/** Headers and methods for pages of an allowed origin. */
const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-max-age': '600',
};
const readable = [
  'Request-Id',
  'Idempotency-Replayed',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Content-Disposition',
].join(', ');

/** Returns true for pages on the developer's own machine. */
const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin);

export interface OriginRules {
  /** Null allows no origins, except loopback addresses in the sandbox. */
  CORS_ORIGINS: readonly string[] | null;
  ENVIRONMENT: string;
}

/**
 * Lets pages of some origins call the service and read its responses, errors included. Allows no
 * credentials, because a page sends its API key like any client. Answers preflights, which have no
 * key, before any route.
 */
export function allowOrigins(app: App, { CORS_ORIGINS, ENVIRONMENT }: OriginRules): void {
  const listed = CORS_ORIGINS && new Set(CORS_ORIGINS);
  const allows = (origin: string): boolean =>
    listed ? listed.has(origin) : ENVIRONMENT === 'sandbox' && isLoopback(origin);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined) return done();
    const isPreflight =
      request.method === 'OPTIONS' && request.headers[requestMethodHeader] !== undefined;
    if (!allows(origin)) {
      if (!isPreflight) return done();
      const shortOrigin = origin.slice(0, 255);
      const refused = refusal('origin_not_allowed', { origin: shortOrigin });
      return void sendError(reply, refusalAnswer(refused));
    }
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': readable,
    });
    if (!isPreflight) return done();
    reply.code(204).headers(preflightHeaders).send();
  });
}
