import {
  type CallContext,
  ConfigurationError,
  ConnectionError,
  DeadlineError,
  type ErrorBody,
  type RecaudoError,
  RefusedError,
  retryAfterOf,
  UnexpectedAnswerError,
} from './errors.ts';

export interface ClientOptions {
  /** An API key: portal, Integraciones. */
  key: string;
  /** The address of the service, such as `https://pay.example.com`. */
  baseUrl: string;
  /** The address of the QR service, if it has one of its own. */
  qrBaseUrl?: string | undefined;
  /** Milliseconds that a call may take, its retries included; 30000 if absent. */
  deadline?: number | undefined;
  /** How often a call is repeated at most; 4 if absent, 0: never. */
  retries?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Hears of every attempt, for logs: neither key nor bodies are in it. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** One attempt of a call. */
export interface Attempt {
  method: string;
  /** Without its query. */
  path: string;
  /** From 1. */
  number: number;
  /** HTTP status; absent if no answer came. */
  status?: number;
  requestId?: string;
  ms: number;
}

export interface CallOptions {
  /** Ends the call, its retries and its body. */
  signal?: AbortSignal | undefined;
  /** Replaces the client's `deadline` for this call. */
  deadline?: number | undefined;
  /** Replaces the key that the client makes: the number of your order, say. */
  idempotencyKey?: string | undefined;
}

/**
 * When a call may be repeated. `safe`: always, it changes nothing or ends the same. `keyed`:
 * always, under its Idempotency-Key. `once`: only if the service says that it did nothing.
 */
export type Repeat = 'safe' | 'keyed' | 'once';

export interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  repeat: Repeat;
  service?: 'qr';
  query?: object | undefined;
  body?: unknown;
}

const usualDeadlineMs = 30_000;
const usualRetries = 4;
const firstPauseMs = 200;
const longestPauseMs = 8_000;
const excerptLength = 200;
/** Timers take no more: 24 days. */
const longestTimerMs = 2 ** 31 - 1;

const repeatableStatuses = [429, 502, 503, 504];
const keyStillBusy = ['idempotency_key_in_use', 'idempotency_key_expired'];

function refusalMayPass(error: RefusedError, repeat: Repeat): boolean {
  const { status, error_code, retryAfter } = error;
  if (status === 429) return retryAfter !== undefined;
  if (status === 408) return true;
  if (status === 409) return repeat === 'keyed' && keyStillBusy.includes(error_code);
  return status === 503 && (repeat !== 'once' || error_code !== 'outcome_unknown');
}

function mayPass(error: unknown, repeat: Repeat): error is RecaudoError {
  if (error instanceof RefusedError) return refusalMayPass(error, repeat);
  if (error instanceof ConnectionError) return repeat !== 'once' || error.code === 'ECONNREFUSED';
  return (
    error instanceof UnexpectedAnswerError &&
    repeat !== 'once' &&
    repeatableStatuses.includes(error.status)
  );
}

/** Milliseconds before the next attempt: half of a doubling pause and a random part of the rest. */
function pauseAfter(error: RecaudoError, attempt: number): number {
  const whole = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
  const answered = error instanceof RefusedError || error instanceof UnexpectedAnswerError;
  const asked = answered ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(asked, whole * (0.5 + Math.random() / 2));
}

/** Waits; rejects with the signal's reason if it is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', end);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || key === '')
    throw new ConfigurationError('The API key is missing.');
  if (!/^[!-~]+$/.test(key)) {
    throw new ConfigurationError(
      'The API key has a space, a line break or another character that no key has. Copy it again.',
    );
  }
  return key;
}

function checkedBase(base: string, name: string): string {
  const url = URL.canParse(base) ? new URL(base) : null;
  // A password, a query or a fragment is more than that.
  const plain = url ? url.origin + url.pathname : '';
  if (!/^https?:/.test(plain) || url?.href !== plain) {
    throw new ConfigurationError(
      `${name} must be an http or https address without password, query and fragment.`,
    );
  }
  return plain.replace(/\/+$/, '');
}

const isPath = (path: string): boolean => path.startsWith('/');

/** An empty id, or one of dots, would name another path. */
function checkedPath(path: string): void {
  if (isPath(path) && path.split('/').some((part, at) => at > 0 && /^\.{0,2}$/.test(part))) {
    throw new ConfigurationError(`An id in ${path} is empty or dots.`);
  }
}

/** The service takes 1 to 255 characters; headers have those of Latin-1. */
function checkedIdempotencyKey(key: string): string {
  if (/^[ -~\u00a0-\u00ff]{1,255}$/.test(key)) return key;
  throw new ConfigurationError('An idempotencyKey has 1 to 255 characters of Latin-1.');
}

function queryText(query: object = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  if (sent.length === 0) return '';
  return `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}

const isJson = (response: Response): boolean =>
  /^application\/json\b/i.test(response.headers.get('content-type') ?? '');

/** The value of a JSON text; undefined: it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const systemCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return systemCode(error.cause);
};

/** The address of an upload is a secret: its path alone is shown. */
const withoutOrigin = (path: string): string => (isPath(path) ? path : '/upload');

/** The error for a failed `fetch` or a broken body. */
function failureOf(error: unknown, { context, signal, deadline }: Trip, problem: string): unknown {
  if (deadline.aborted) {
    return new DeadlineError('The deadline passed before the answer came.', { ...context });
  }
  if (signal.aborted) return signal.reason;
  const code = systemCode(error);
  return new ConnectionError(`${problem}${code ? ` (${code})` : ''}.`, code, { ...context });
}

/** One call on its way through its attempts. */
interface Trip {
  call: Call;
  accept: string;
  body: string | undefined;
  context: CallContext;
  /** Aborted by the deadline or by the caller. */
  signal: AbortSignal;
  deadline: AbortSignal;
}

type Read<T> = (response: Response, trip: Trip) => Promise<T>;

/** Reaches the service: key, Idempotency-Key, deadline, retries, errors. */
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
    return this.#run(call, 'application/json', options, async (response, trip) => {
      const text = await this.#textOf(response, trip);
      const value = isJson(response) ? parsed(text) : undefined;
      if (value !== undefined) return value as T;
      const problem = isJson(response)
        ? 'The answer is cut or malformed'
        : 'The answer is not JSON';
      throw this.#unexpected(problem, response, text, trip);
    });
  }

  /** The body as it comes. The deadline holds until it begins. */
  stream(call: Call, accept: string, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#run(call, accept, options, async (response, trip) => {
      const type = response.headers.get('content-type') ?? '';
      if (!type.toLowerCase().startsWith(accept) || !response.body) {
        const text = await this.#textOf(response, trip);
        throw this.#unexpected(`The answer is not ${accept}`, response, text, trip);
      }
      return this.#watched(response.body, trip);
    });
  }

  /** Puts a body at an address that needs no key. It is never repeated. */
  async upload(url: string, body: unknown, options?: CallOptions): Promise<void> {
    const call: Call = { method: 'PUT', path: url, repeat: 'once', body };
    await this.#run(call, '*/*', options, async (response, trip) => {
      await this.#textOf(response, trip);
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
    const trip: Trip = { call, accept, body: text, context, signal, deadline: late.signal };
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
        throw this.#refusalOf(response, await this.#textOf(response, trip), trip);
      } catch (error) {
        if (!mayPass(error, call.repeat)) throw error;
        if (context.attempts > (this.#options.retries ?? usualRetries)) throw error;
        const wait = pauseAfter(error, context.attempts);
        // The error says more than a deadline that passes in a pause.
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
      const { method, path, attempts: number } = context;
      const requestId = response?.headers.get('request-id');
      this.#options.onAttempt?.({
        ...{ method, path, number },
        ...(response && { status: response.status }),
        ...(requestId && { requestId }),
        ms: performance.now() - started,
      });
    }
  }

  #addressOf({ path, query, service }: Call): string {
    if (!isPath(path)) return path;
    return `${service === 'qr' ? this.#qr : this.#payments}${path}${queryText(query)}`;
  }

  async #textOf(response: Response, trip: Trip): Promise<string> {
    try {
      return await response.text();
    } catch (error) {
      throw failureOf(error, trip, 'The connection ended within the answer');
    }
  }

  /** The error of an answer that is no success. */
  #refusalOf(response: Response, text: string, trip: Trip): RecaudoError {
    if (response.status < 400) {
      return this.#unexpected('The address leads to another one', response, text, trip);
    }
    const body = isJson(response) ? parsed(text) : undefined;
    if (typeof body === 'object' && body !== null && 'error_code' in body) {
      return new RefusedError(response, body as ErrorBody, { ...trip.context });
    }
    return this.#unexpected('Something other than the service answered', response, text, trip);
  }

  #unexpected(problem: string, response: Response, text: string, trip: Trip) {
    const contentType = response.headers.get('content-type') ?? '';
    // A proxy may repeat what it was sent.
    const excerpt = text.replaceAll(this.#key, '…').slice(0, excerptLength);
    const { status } = response;
    return new UnexpectedAnswerError(
      `${problem}: status ${status}, ${contentType || 'no content type'}.`,
      { status, contentType, excerpt, retryAfter: retryAfterOf(response.headers) },
      { ...trip.context },
    );
  }

  /** A body whose end tells why, in the errors of this client. */
  #watched(body: ReadableStream<Uint8Array>, trip: Trip): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(failureOf(error, trip, 'The connection ended within the answer'));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    });
  }
}
