import type { App } from './server.ts';

const asked = 'access-control-request-method';

/** What a page of an allowed origin may send and read. */
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

/**
 * Lets pages of these origins call the APIs from a browser, errors included. Never with
 * credentials: a page sends its API key as everybody does. A preflight carries no key, and is
 * answered here, before any route.
 */
export function allowOrigins(app: App, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return done();
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': readable,
    });
    if (request.method !== 'OPTIONS' || request.headers[asked] === undefined) return done();
    reply.code(204).headers(preflightHeaders).send();
  });
}
