import { type Dispatcher, Pool } from 'undici';
import { bodyFor, sign, signedText } from '../../connectors/protocol/signature.ts';
import { withoutSlashes } from '../kernel/text.ts';
import type { Clock } from '../platform/clocks.ts';
import { currentErrand } from '../platform/postgres/deadlines.ts';
import { createSlots, tookTooLong } from '../platform/slots.ts';
import { maskMessage } from './mask.ts';
import type { ConnectorSettings } from './settings.ts';

export type CallResult =
  | {
      kind: 'answer';
      status: number;
      /** The answer's JSON, or undefined. */
      body: unknown;
    }
  /** There was no complete answer. Only if nothing was sent is it certain that nothing happened. */
  | {
      kind: 'none';
      sent: boolean;
      /** True if nothing was sent because this process has too many calls under way. */
      isBusy?: boolean;
      why: string;
    };

export interface Order {
  method: 'GET' | 'PUT' | 'POST';
  /** Path and query, below the configured address. */
  path: string;
  body?: object;
  timeoutMs: number;
}

/**
 * Makes signed calls to one connector, each once and without retries. Too many concurrent PUTs are
 * refused at once; other calls wait for a free connection.
 */
export interface Caller {
  call(order: Order): Promise<CallResult>;
  close(): Promise<void>;
}

const mostAnswerBytes = 64 * 1024;
const connectTimeoutMs = 5_000;
const keepAliveMs = 4_000;
/** Connections beyond those for charges, so that inquiries continue while all charges hang. */
const asksAtOnce = 16;
/** Maximum wait for one of these connections. */
const askPatienceMs = 5_000;

const tooLong = `the answer is longer than ${mostAnswerBytes / 1024} KiB`;

class Answered implements Dispatcher.DispatchHandler {
  readonly #end: (result: CallResult) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #sent = false;
  #ended = false;
  #controller: Dispatcher.DispatchController | null = null;

  readonly #masked: () => void;

  /** Calls `masked` if an answer contains a card number. */
  constructor(end: (result: CallResult) => void, masked: () => void) {
    this.#masked = masked;
    this.#end = (result) => {
      if (!this.#ended) end(result);
      this.#ended = true;
    };
  }

  /** Ends the call. A request still waiting for a connection is not sent. */
  stop(why: string): void {
    this.#end({ kind: 'none', sent: this.#sent, why });
    this.#controller?.abort(new Error(why));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#ended) {
      controller.abort(new Error('too late'));
      return;
    }
    this.#sent = true;
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > mostAnswerBytes) this.stop(tooLong);
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    const { message, found } = maskMessage(jsonIn(text));
    if (found) this.#masked();
    this.#end({ kind: 'answer', status: this.#status, body: message });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const code = 'code' in error ? `${String(error.code)}: ` : '';
    this.#end({ kind: 'none', sent: this.#sent, why: `${code}${error.message}`.slice(0, 200) });
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const outcomeOf = (result: CallResult) => ({
  failed: result.kind === 'none' || result.status >= 500,
  ...(result.kind === 'answer' && { attributes: { 'http.response.status_code': result.status } }),
});

/** Opens keep-alive connections without redirects. A call ends at its deadline. */
export function openCaller(
  { url, secrets, callsAtOnce }: ConnectorSettings,
  wall: Clock,
  masked: () => void,
): Caller {
  const { origin, pathname, hostname } = new URL(url);
  const root = withoutSlashes(pathname);
  const pool = new Pool(origin, {
    connections: callsAtOnce + asksAtOnce,
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    allowH2: false,
  });
  const asks = createSlots(asksAtOnce);
  let orders = 0;
  const busy = (most: number): CallResult => ({
    kind: 'none',
    sent: false,
    isBusy: true,
    why: `${most} calls are under way`,
  });

  const dispatch = ({ method, path, body, timeoutMs }: Order): Promise<CallResult> => {
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    const span = currentErrand().trace.span?.child(`${method} connector`, 'client', {
      'server.address': hostname,
    });
    const handler = new Answered((result) => {
      clearTimeout(timer);
      span?.end(outcomeOf(result));
      resolve(result);
    }, masked);
    const timer = setTimeout(
      () => handler.stop(`no whole answer within ${timeoutMs} ms`),
      timeoutMs,
    );
    const address = `${root}${path}`;
    const text = body === undefined ? '' : bodyFor(method, path, body);
    const seconds = Math.floor(wall.nowMs() / 1000);
    const headers = {
      accept: 'application/json',
      ...(span && { traceparent: span.traceparent }),
      ...(text !== '' && { 'content-type': 'application/json' }),
      ...sign(secrets, signedText({ method, path, body: text }), { seconds }),
    };
    try {
      pool.dispatch({ path: address, method, headers, body: text === '' ? null : text }, handler);
    } catch (error) {
      handler.stop(error instanceof Error ? error.message : String(error));
    }
    return promise;
  };

  return {
    async call(order) {
      if (order.method !== 'PUT') {
        try {
          return await asks.run(() => dispatch(order), askPatienceMs);
        } catch (error) {
          if (error === tookTooLong) return busy(asksAtOnce);
          throw error;
        }
      }
      if (orders >= callsAtOnce) return busy(callsAtOnce);
      orders += 1;
      try {
        return await dispatch(order);
      } finally {
        orders -= 1;
      }
    },
    close: () => pool.destroy(),
  };
}
