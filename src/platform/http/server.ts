import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Ctx } from '../base.ts';
import type { Clock } from '../clocks.ts';
import { refusal } from '../codes.ts';
import type { Log } from '../log.ts';
import type { MemoryBudget } from '../memory-budget.ts';
import type { Metrics } from '../metrics.ts';
import { doing } from '../postgres/deadlines.ts';
import type { Span, Tracer } from '../tracing.ts';
import {
  type AnyErrorAnswer,
  type ErrorAnswer,
  errorAnswer,
  errorText,
  retryAfterOf,
} from './answers.ts';
import { checkContentEncoding, checkContentType, readJsonBody } from './body.ts';
import { readBytes } from './body-bytes.ts';
import { type BodyPace, watchBodies } from './body-watch.ts';
import { answerBrokenCall } from './broken-call.ts';
import { logCalls } from './call-log.ts';
import { traceCalls } from './call-spans.ts';
import {
  addressOf,
  type ConnectionCaps,
  capConnections,
  networkOf,
  proxyTest,
  type TrustedProxies,
} from './callers.ts';
import { collectPaths, type PathAt, pathOf, type SendFailure, unknownPath } from './paths.ts';

export type App = FastifyInstance;

declare module 'fastify' {
  interface FastifyInstance {
    /** Accepts no new connections. Closes existing ones after their next response. */
    retire(): Promise<void>;
    /**
     * Fails readiness and closes connections after their responses, but keeps listening this long.
     * Then retires.
     */
    drain(ms: number): Promise<void>;
    isDraining(): boolean;
  }
  interface FastifyRequest {
    /** The body's bytes, for the fingerprint of an idempotent call. */
    rawBody: Buffer | null;
    /** The caller, once the gate knows the key. Also set for an existing key that it refuses. */
    ctx: Ctx | null;
    /** The signed-in user of a page, and the page's account. */
    visitor: { user: number; account?: string } | null;
    /** Null if traces are not exported. */
    span: Span | null;
  }
  interface FastifyContextConfig {
    /** The route reads `rawBody` itself. */
    keepsBytes?: boolean;
    /** Answers calls of the path that reach no handler. Default: the payments service's errors. */
    sendFailure?: SendFailure;
  }
}

const bodyLimitBytes = 1024 * 1024;

export interface HttpOptions {
  log: Log;
  metrics: Metrics;
  wall: Clock;
  /** Proxies with a trusted X-Forwarded-For. */
  proxies: TrustedProxies;
  connections: ConnectionCaps;
  pace: BodyPace;
  /** Memory budget of large bodies. */
  budget: MemoryBudget;
  /** True if callers use TLS. Adds Strict-Transport-Security. */
  tls: boolean;
  /** Null if traces are not exported. */
  tracer?: Tracer | null;
  /** Answers calls of unknown paths. Default: the payments service's errors. */
  sendFailure?: SendFailure;
}

/** Sends an error body. `retryAfter` is in seconds. */
export const sendErrorBody = (
  reply: FastifyReply,
  status: number,
  answer: AnyErrorAnswer,
  retryAfter = retryAfterOf(status),
): FastifyReply => {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== null) reply.header('retry-after', retryAfter);
  // Do not wait for the rest of the body.
  if (status === 413) reply.header('connection', 'close');
  return reply.code(status).type('application/json; charset=utf-8').send(errorText(answer));
};

export const sendError = (
  reply: FastifyReply,
  answer: ErrorAnswer,
  retryAfter?: number | null,
): FastifyReply => sendErrorBody(reply, answer.code, answer, retryAfter);

/** Time for kept-alive connections to make one more call. */
const retiresWithinMs = 5_000;

/** Waits until a closing server has no connection left, for at most `retiresWithinMs`. */
async function untilEmpty(server: Server): Promise<void> {
  const over = AbortSignal.timeout(retiresWithinMs);
  // Connections left by then are idle.
  await once(server, 'close', { signal: over }).catch(() => {});
}

/**
 * Ends kept-alive connections: while the server closes, every response closes its connection, so
 * that no idle one delays the end. A retiring process does so earlier: others listen on its port,
 * and calls already sent on kept-alive connections get their response. A draining process first
 * gives load balancers time to notice.
 */
function endConnectionsOnClose(app: App): void {
  let closing = false;
  let draining = false;
  app.decorate('isDraining', () => draining);
  app.decorate('drain', async (ms) => {
    draining = true;
    closing = true;
    await sleep(ms);
    await app.retire();
  });
  app.decorate('retire', async () => {
    closing = true;
    const emptied = untilEmpty(app.server);
    // The HTTP server's close would end idle connections at once.
    NetServer.prototype.close.call(app.server);
    await emptied;
  });
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Maximum interval between checks for late headers, in milliseconds. */
const longestCheckMs = 5_000;
/** Closes connections that are idle in both directions for this long. */
const silentForMs = 10 * 60_000;

/** Sets default headers. Cacheable pages and files override them. */
function guardAnswers(app: App, tls: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    if (tls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    done();
  });
}

/** Parses JSON bodies. Large ones reserve memory, and slow ones are aborted. */
function readBodies(app: App, { wall, pace, budget }: HttpOptions): void {
  const answers = new WeakMap<IncomingMessage, ServerResponse>();
  const watch = watchBodies(wall, pace, (raw) => answers.get(raw)?.headersSent ?? true);
  app.addHook('onClose', (_app, done) => {
    watch.stop();
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (watch.begin(request.raw)) answers.set(request.raw, reply.raw);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, raw: IncomingMessage) => {
    checkContentType(request.headers['content-type']);
    checkContentEncoding(request.headers['content-encoding']);
    const bytes = await readBytes(raw, {
      limit: request.routeOptions.bodyLimit,
      budget,
      holder: request.ctx?.accountId ?? networkOf(addressOf(request)),
      // Keep the memory reserved until the response is closed.
      onTaken: (giveBack) => void (answers.get(raw)?.once('close', giveBack) ?? giveBack()),
    });
    watch.end(raw);
    request.rawBody = bytes;
    return request.routeOptions.config.keepsBytes ? bytes : readJsonBody(bytes);
  });
}

/**
 * Creates a server with the conventions of both services: ids, bodies, errors, timeouts, metrics.
 */
export function createHttp(options: HttpOptions): App {
  const { log, proxies, connections, pace, tls } = options;
  let pathAt: PathAt = unknownPath;
  const senderAt = (url: string): SendFailure =>
    pathAt(pathOf(url)).sendFailure ?? options.sendFailure ?? sendFailure;
  const app: App = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // A logger per call costs more than its lines, so lines name their call.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    trustProxy: proxyTest(proxies),
    connectionTimeout: silentForMs,
    // Disabled, because headersTimeout bounds the headers and watchBodies the bodies.
    requestTimeout: 0,
    http: {
      // Repeated, because Node requires headersTimeout below requestTimeout.
      requestTimeout: 0,
      headersTimeout: pace.graceMs,
      connectionsCheckingInterval: Math.min(pace.graceMs / 4, longestCheckMs),
    },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // These responses precede all hooks, so they set the id themselves.
    frameworkErrors: (error, request, reply) => {
      reply.header('request-id', request.id);
      senderAt(request.url)(reply as unknown as FastifyReply, error);
    },
    clientErrorHandler: answerBrokenCall,
  });
  capConnections(app.server, connections, proxies);
  app.decorateRequest('rawBody', null);
  app.decorateRequest('ctx', null);
  app.decorateRequest('visitor', null);
  app.decorateRequest('span', null);
  app.decorateRequest('address', null);
  // Forms parse bodies, report every fault at once, and coerce nothing.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));

  endConnectionsOnClose(app);
  // Runs after the body is read, because the body's events lose the async context.
  app.addHook('preValidation', (request, _reply, done) => {
    const { span } = request;
    doing('call', done, span ? { wrote: false, span } : { wrote: false });
  });
  if (options.tracer) traceCalls(app, options.tracer);
  guardAnswers(app, tls);
  readBodies(app, options);
  logCalls(app, options);
  pathAt = collectPaths(app);
  answerFailures(app, log, { pathAt, senderAt });
  return app;
}

const sendFailure: SendFailure = (reply, error) => {
  const { answer, retryAfter } = errorAnswer(error);
  return sendError(reply, answer, retryAfter);
};

function answerFailures(
  app: App,
  log: Log,
  { pathAt, senderAt }: { pathAt: PathAt; senderAt(url: string): SendFailure },
): void {
  app.setErrorHandler((error, request, reply) => {
    const { answer, expected, retryAfter } = errorAnswer(error);
    if (!expected) log.error({ err: error, requestId: request.id }, 'a call failed');
    return sendError(reply, answer, retryAfter);
  });
  app.setNotFoundHandler((request, reply) => {
    const { url, method } = request;
    const allowed = pathAt(pathOf(url)).methods.join(', ');
    const send = senderAt(url);
    if (allowed === '') return send(reply, refusal('path_not_found', {}));
    reply.header('allow', allowed);
    return send(reply, refusal('method_not_allowed', { method, allowed }));
  });
}
