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
import {
  type AnyErrorAnswer,
  type ErrorAnswer,
  errorAnswer,
  errorText,
  refusalAnswer,
  retryAfterOf,
} from './answers.ts';
import { checkContentEncoding, checkContentType, readJsonBody } from './body.ts';
import { readBytes } from './body-bytes.ts';
import { type BodyPace, watchBodies } from './body-watch.ts';
import { answerBrokenCall } from './broken-call.ts';
import { logCalls } from './call-log.ts';
import {
  addressOf,
  type ConnectionCaps,
  capConnections,
  networkOf,
  proxyTest,
  type TrustedProxies,
} from './callers.ts';

export type App = FastifyInstance;

declare module 'fastify' {
  interface FastifyInstance {
    /** Takes no new connection; answers calls on those there are, and ends each with its answer. */
    retire(): Promise<void>;
    /**
     * Reports that it is not ready, closes each connection after its answer, and listens so long
     * still.
     */
    drain(ms: number): Promise<void>;
    isDraining(): boolean;
  }
  interface FastifyRequest {
    /** The body's bytes, for the fingerprint of an idempotent call. */
    rawBody: Buffer | null;
    /** The caller, once the gate let the call in. */
    ctx: Ctx | null;
    /** The signed-in user of a page, and the page's account. */
    visitor: { user: number; account?: string } | null;
  }
  interface FastifyContextConfig {
    /** The route reads `rawBody` itself; no parser runs. */
    keepsBytes?: boolean;
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
  /** The memory budget of large bodies. */
  budget: MemoryBudget;
  /** True if callers use TLS: then browsers get Strict-Transport-Security. */
  tls: boolean;
}

/** Sends an error of either service; `retryAfter` in seconds. */
export const sendErrorBody = (
  reply: FastifyReply,
  status: number,
  answer: AnyErrorAnswer,
  retryAfter = retryAfterOf(status),
): FastifyReply => {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== null) reply.header('retry-after', retryAfter);
  // Does not wait for the rest of the body.
  if (status === 413) reply.header('connection', 'close');
  return reply.code(status).type('application/json; charset=utf-8').send(errorText(answer));
};

export const sendError = (
  reply: FastifyReply,
  answer: ErrorAnswer,
  retryAfter?: number | null,
): FastifyReply => sendErrorBody(reply, answer.code, answer, retryAfter);

/** Time for kept connections to make one more call, whose answer closes them. */
const retiresWithinMs = 5_000;

/** Waits until a closing server has no connection left. */
async function untilEmpty(server: Server): Promise<void> {
  const over = AbortSignal.timeout(retiresWithinMs);
  // Connections left by then are idle; closing the server closes them.
  await once(server, 'close', { signal: over }).catch(() => {});
}

/**
 * While the server closes, every answer closes its connection, so no idle one delays the end. A
 * retiring process does so before it closes: others listen on its port, and a call already sent on
 * a kept connection is answered. A draining one first gives load balancers time to notice.
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
    // The server of HTTP would hang up on idle connections at once.
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

/** Milliseconds between two looks for headers that are late, at most. */
const longestCheckMs = 5_000;
/** Closes connections that are idle in both directions for so many milliseconds. */
const silentForMs = 10 * 60_000;

/** Default headers of every answer; cacheable pages and files override them. */
function guardAnswers(app: App, tls: boolean): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    if (tls) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains');
    done();
  });
}

/** Parses JSON from bytes. Large bodies wait for memory; slow ones are hung up on. */
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
      // The bytes live as long as the call.
      onTaken: (giveBack) => void (answers.get(raw)?.once('close', giveBack) ?? giveBack()),
    });
    watch.end(raw);
    request.rawBody = bytes;
    return request.routeOptions.config.keepsBytes ? bytes : readJsonBody(bytes);
  });
}

/** A server with the conventions of both services: ids, bodies, errors, timeouts, measures. */
export function createHttp(options: HttpOptions): App {
  const { log, proxies, connections, pace, tls } = options;
  const app: App = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // Lines name their call themselves: a logger for each call costs more than its line.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    trustProxy: proxyTest(proxies),
    connectionTimeout: silentForMs,
    // Headers have the time of a small body; a larger body is timed by its pace.
    requestTimeout: 0,
    http: {
      // Again: Node requires the headers' timeout to be below that of the call.
      requestTimeout: 0,
      headersTimeout: pace.graceMs,
      connectionsCheckingInterval: Math.min(pace.graceMs / 4, longestCheckMs),
    },
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // These answers come before any hook, so they carry the id on their own.
    frameworkErrors: (error, request, reply) => {
      reply.header('request-id', request.id);
      void sendError(reply as unknown as FastifyReply, errorAnswer(error).answer);
    },
    clientErrorHandler: answerBrokenCall,
  });
  capConnections(app.server, connections, proxies);
  app.decorateRequest('rawBody', null);
  app.decorateRequest('ctx', null);
  app.decorateRequest('visitor', null);
  app.decorateRequest('address', null);
  // Bodies are read by forms, which report every fault at once and never bend a value.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));

  endConnectionsOnClose(app);
  // After the body is read, which would lose the context: the whole call is one errand.
  app.addHook('preValidation', (_request, _reply, done) => {
    doing('call', done, { wrote: false });
  });
  guardAnswers(app, tls);
  readBodies(app, options);
  logCalls(app, options);
  answerFailures(app, log, collectMethods(app));
  return app;
}

/** Returns an address's methods; empty if there is no route. */
type MethodsAt = (path: string) => readonly string[];

/** Collects the methods of each route, for answers to those that an address does not take. */
function collectMethods(app: App): MethodsAt {
  const methods = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    // Routes that serve a folder answer for missing files themselves.
    if (url.includes('*')) return;
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  let patterns: { pattern: RegExp; methods: ReadonlySet<string> }[] | null = null;
  return (path) => {
    patterns ??= [...methods].map(([url, known]) => ({
      pattern: new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
      methods: known,
    }));
    const found = patterns.filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap((one) => [...one.methods]))].sort();
  };
}

function answerFailures(app: App, log: Log, methodsAt: MethodsAt): void {
  app.setErrorHandler((error, request, reply) => {
    const { answer, expected, retryAfter } = errorAnswer(error);
    if (!expected) log.error({ err: error, requestId: request.id }, 'a call failed');
    return sendError(reply, answer, retryAfter);
  });
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const allowed = methodsAt(path).join(', ');
    if (allowed === '') return sendError(reply, refusalAnswer(refusal('path_not_found', {})));
    reply.header('allow', allowed);
    const { method } = request;
    return sendError(reply, refusalAnswer(refusal('method_not_allowed', { method, allowed })));
  });
}
