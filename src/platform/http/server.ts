import { randomUUID } from 'node:crypto';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify';
import type { Ctx } from '../base.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { doing } from '../postgres/deadlines.ts';
import { type AnyErrorAnswer, type ErrorAnswer, errorAnswer, errorText } from './answers.ts';
import { checkContentType, readJsonBody } from './body.ts';
import { answerBrokenCall } from './broken-call.ts';

export type App = FastifyInstance;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes, for the fingerprint of an idempotent call. */
    rawBody: Buffer | null;
    /** Who calls, once the gate let the call in. */
    ctx: Ctx | null;
  }
  interface FastifyContextConfig {
    /** The route reads its body from `rawBody`: nothing is parsed on arrival. */
    keepsBytes?: boolean;
  }
}

const bodyLimitBytes = 1024 * 1024;

export interface HttpOptions {
  log: Log;
  metrics: Metrics;
  /** Whether X-Forwarded-* of a proxy in front is believed. */
  trustProxy: boolean;
}

/** Sends an error of either service. */
export const sendErrorBody = (
  reply: FastifyReply,
  status: number,
  answer: AnyErrorAnswer,
): FastifyReply => {
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 503) reply.header('retry-after', '1');
  return reply.code(status).type('application/json; charset=utf-8').send(errorText(answer));
};

export const sendError = (reply: FastifyReply, answer: ErrorAnswer): FastifyReply =>
  sendErrorBody(reply, answer.code, answer);

/** Observes without looking the labels up each time. */
function observer({ httpSeconds }: Metrics) {
  const known = new Map<string, { observe(seconds: number): void }>();
  return (method: string, route: string, status: number, seconds: number): void => {
    const name = `${method} ${route} ${status}`;
    const series = known.get(name) ?? httpSeconds.labels({ method, route, status });
    known.set(name, series);
    series.observe(seconds);
  };
}

/** While the server closes, every answer ends its connection: nobody waits for an idle one. */
function endConnectionsOnClose(app: App): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** A server with the conventions of both services: ids, bodies, errors, timeouts, measures. */
export function createHttp({ log, metrics, trustProxy }: HttpOptions): App {
  const observe = observer(metrics);
  const app: App = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    trustProxy,
    connectionTimeout: 0,
    // For a whole call: the largest upload of a slow caller. Headers have a minute, as by default.
    requestTimeout: 15 * 60_000,
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
  app.decorateRequest('rawBody', null);
  app.decorateRequest('ctx', null);
  // Bodies are read by forms, which report every fault at once and never bend a value.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    try {
      checkContentType(request.headers['content-type']);
      request.rawBody = bytes;
      done(null, request.routeOptions.config.keepsBytes ? bytes : readJsonBody(bytes));
    } catch (error) {
      done(error as Error);
    }
  });

  endConnectionsOnClose(app);
  // After the body was read, which would lose it: what the call does is one errand.
  app.addHook('preValidation', (_request, _reply, done) => {
    doing('call', done, { wrote: false });
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    observe(request.method, route, status, reply.elapsedTime / 1000);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    log.answered({ requestId: request.id, method: request.method, route, status, ms });
    done();
  });

  app.setErrorHandler((error, request, reply) => {
    const { answer, expected } = errorAnswer(error);
    if (!expected) log.error({ err: error, requestId: request.id }, 'a call failed');
    return sendError(reply, answer);
  });
  app.setNotFoundHandler((request, reply) =>
    sendError(reply, {
      code: 404,
      message: `There is no ${request.method} at this path; /docs lists the calls.`,
    }),
  );
  return app;
}
