import {
  failureOf,
  readValue,
  refusalOf,
  type Shape,
  textOf,
  unexpected,
  type Waiting,
  watched,
} from './answers.ts';
import type { CallContext } from './errors.ts';
import {
  type Attempt,
  type CallOptions,
  type ClientOptions,
  checkedBase,
  checkedIdempotencyKey,
  checkedKey,
  checkedPath,
  isPath,
  queryText,
} from './options.ts';
import { longestTimerMs, mayPass, pause, pauseAfter, type Repeat } from './retries.ts';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  repeat: Repeat;
  service?: 'qr';
  query?: object | undefined;
  body?: unknown;
  /** `object` by default. */
  shape?: Shape;
}

const usualDeadlineMs = 30_000;
const usualRetries = 4;

/** Hides an upload's address, which is a secret. */
const withoutOrigin = (path: string): string => (isPath(path) ? path : '/upload');

/** A call in progress, over all its attempts. */
interface Trip extends Waiting {
  call: Call;
  accept: string;
  body: string | undefined;
}

type Read<T> = (response: Response, trip: Trip) => Promise<T>;

/**
 * Sends calls: adds the key and the Idempotency-Key, enforces the deadline, retries, and maps
 * errors.
 */
export class Transport {
  readonly #key: string;
  readonly #payments: string;
  readonly #qr: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#key = checkedKey(options.key);
    this.#payments = checkedBase(options.baseUrl, 'baseUrl');
    this.#qr = checkedBase(options.qrBaseUrl ?? options.baseUrl, 'qrBaseUrl');
    this.#options = options;
  }

  json<T>(call: Call, options?: CallOptions): Promise<T> {
    return this.#run(
      call,
      'application/json',
      options,
      async (response, trip) => (await readValue(response, trip, call.shape ?? 'object')) as T,
    );
  }

  /** Returns the body as a stream. The deadline applies until it starts. */
  stream(call: Call, accept: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#run(call, accept, options, async (response, trip) => {
      const type = response.headers.get('content-type') ?? '';
      if (!type.toLowerCase().startsWith(accept) || !response.body) {
        const text = await textOf(response, trip);
        throw unexpected(`The answer is not ${accept}`, response, text, trip);
      }
      return watched(response.body, trip);
    });
  }

  /**
   * Uploads a body to a presigned address. Retries only if the service was unreachable or did
   * nothing.
   */
  async upload(url: string, body: unknown, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'PUT', path: url, repeat: 'once', body };
    await this.#run(call, '*/*', options, async (response, trip) => {
      await textOf(response, trip);
    });
  }

  async #run<T>(call: Call, accept: string, options: CallOptions = {}, read: Read<T>): Promise<T> {
    const { signal: own, deadline: ms = this.#options.deadline ?? usualDeadlineMs } = options;
    own?.throwIfAborted();
    const { method, path, body } = call;
    checkedPath(path);
    const context: CallContext = { method, path: withoutOrigin(path), attempts: 0 };
    if (call.repeat === 'keyed') {
      context.idempotencyKey = checkedIdempotencyKey(options.idempotencyKey ?? crypto.randomUUID());
    }
    const text = body === undefined ? undefined : JSON.stringify(body);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), Math.min(ms, longestTimerMs));
    const signal = own ? AbortSignal.any([own, late.signal]) : late.signal;
    const hide = (shown: string): string => shown.replaceAll(this.#key, '…');
    const trip: Trip = { call, accept, body: text, context, signal, deadline: late.signal, hide };
    try {
      return await this.#repeat(trip, performance.now() + ms, read);
    } finally {
      clearTimeout(timer);
    }
  }

  async #repeat<T>(trip: Trip, ends: number, read: Read<T>): Promise<T> {
    const { call, context, signal } = trip;
    for (;;) {
      context.attempts += 1;
      try {
        const response = await this.#attempt(trip);
        if (response.ok) return await read(response, trip);
        throw await refusalOf(response, trip);
      } catch (error) {
        if (!mayPass(error, call.repeat)) throw error;
        if (context.attempts > (this.#options.retries ?? usualRetries)) throw error;
        const wait = pauseAfter(error, context.attempts);
        // This error says more than a timeout during the pause would.
        if (performance.now() + wait >= ends) throw error;
        await pause(wait, signal).catch((reason: unknown) => {
          throw failureOf(reason, trip, '');
        });
      }
    }
  }

  async #attempt(trip: Trip): Promise<Response> {
    const { call, accept, body, context, signal } = trip;
    const started = performance.now();
    let response: Response | undefined;
    try {
      response = await (this.#options.fetch ?? fetch)(this.#addressOf(call), {
        method: call.method,
        signal,
        redirect: 'manual',
        headers: {
          accept,
          ...(isPath(call.path) && { authorization: `Bearer ${this.#key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(context.idempotencyKey !== undefined && {
            'idempotency-key': context.idempotencyKey,
          }),
        },
        ...(body !== undefined && { body }),
      });
      return response;
    } catch (error) {
      throw failureOf(error, trip, 'The service was not reached');
    } finally {
      this.#tell(context, response, performance.now() - started);
    }
  }

  /** Calls the listener. Ignores its errors, which must not change the call's outcome. */
  #tell({ method, path, attempts: number }: CallContext, answer: Response | undefined, ms: number) {
    const { onAttempt } = this.#options;
    if (!onAttempt) return;
    const requestId = answer?.headers.get('request-id');
    const attempt: Attempt = {
      ...{ method, path, number, ms },
      ...(answer && { status: answer.status }),
      ...(requestId && { requestId }),
    };
    new Promise<unknown>((resolve) => resolve(onAttempt(attempt))).catch(() => {});
  }

  #addressOf({ path, query, service }: Call): string {
    if (!isPath(path)) return path;
    return `${service === 'qr' ? this.#qr : this.#payments}${path}${queryText(query)}`;
  }
}
