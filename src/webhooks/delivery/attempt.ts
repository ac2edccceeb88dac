import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Clock } from '../../platform/clocks.ts';
import type { Tracer } from '../../platform/tracing.ts';
import { bareHost, type Guard } from './address.ts';
import { requestedPauseMs } from './schedule.ts';
import type { Attempt } from './store.ts';

/** Makes one POST to a receiver. Never throws, and ends at the timeout. */
export type Post = (url: URL, headers: Record<string, string>, body: string) => Promise<Attempt>;

export interface Sender {
  post: Post;
  /** Closes all connections. Call it after all calls that matter have ended. */
  close(): Promise<void>;
}

const connectTimeoutMs = 5_000;
const keepAliveMs = 10_000;

/** Aborts longer answers. */
const mostAnswerBytes = 64 * 1024;
const longestError = 200;

/** Resolves a name once and checks the result. The connection goes only to an address found. */
const guardedLookup =
  (guard: Guard): LookupFunction =>
  (host, { all }, callback) => {
    guard.addresses(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (all || !first) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };

/**
 * Connects only to addresses that the guard accepts. TLS verifies the requested name. A literal
 * address needs no look-up.
 */
const guardedConnector = (guard: Guard): buildConnector.connector => {
  const lookup = guardedLookup(guard);
  const connect = buildConnector({ timeout: connectTimeoutMs, allowH2: false, lookup });
  return (options, callback) => {
    if (isIP(bareHost(options.hostname)) === 0) return connect(options, callback);
    guard.addresses(options.hostname).then(
      () => connect(options, callback),
      (error: Error) => callback(error, null),
    );
  };
};

const errorText = (error: Error): string => {
  const { cause } = error;
  const text = error.message || (cause instanceof Error ? cause.message : error.name);
  return text.slice(0, longestError);
};

class Answered implements Dispatcher.DispatchHandler {
  /** The raw header of the response. */
  retryAfter: string | null = null;
  #status: number | null = null;
  #bytes = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #ended = false;
  readonly #end: (status: number | null, error: string | null) => void;

  constructor(end: (status: number | null, error: string | null) => void) {
    this.#end = end;
  }

  /** Ends the call in any state. If it still waits for a connection, nothing is sent. */
  stop(error: string): void {
    this.#finish(null, error);
    this.#controller?.abort(new Error(error));
  }

  #finish(status: number | null, error: string | null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#end(status, error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('too late'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    const { 'retry-after': retryAfter } = headers;
    if (typeof retryAfter === 'string') this.retryAfter = retryAfter;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= mostAnswerBytes) return;
    this.#finish(this.#status, null);
    controller.abort(new Error('the answer is too long'));
  }

  onResponseEnd(): void {
    this.#finish(this.#status, null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish(null, errorText(error));
  }
}

/**
 * Sends over keep-alive HTTP/1.1 connections. Follows no redirects. The status counts once the
 * response is complete or at its size limit. The timeout ends a slow response.
 */
export function createSender(
  guard: Guard,
  wall: Clock,
  timeoutMs: number,
  tracer: Tracer | null = null,
): Sender {
  const agent = new Agent({
    connect: guardedConnector(guard),
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  });

  const post: Post = (url, headers, body) => {
    const at = wall.now();
    const begun = performance.now();
    const { promise, resolve } = Promise.withResolvers<Attempt>();
    const span = tracer?.begin('POST webhook', 'client');
    const handler = new Answered((status, error) => {
      clearTimeout(timer);
      span?.end({
        failed: status === null || status >= 400,
        ...(status !== null && { attributes: { 'http.response.status_code': status } }),
      });
      const retryAfterMs =
        status === null ? 0 : requestedPauseMs(status, handler.retryAfter, wall.nowMs());
      resolve({ at, status, error, ms: Math.round(performance.now() - begun), retryAfterMs });
    });
    const timer = setTimeout(
      () => handler.stop(`no whole answer within ${timeoutMs} ms`),
      timeoutMs,
    );
    const path = `${url.pathname}${url.search}`;
    try {
      const sent = span ? { ...headers, traceparent: span.traceparent } : headers;
      agent.dispatch({ origin: url.origin, path, method: 'POST', headers: sent, body }, handler);
    } catch (error) {
      handler.stop(errorText(error as Error));
    }
    return promise;
  };
  return { post, close: () => agent.destroy() };
}
