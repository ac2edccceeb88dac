import { ConfigurationError } from './errors.ts';

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

export function checkedKey(key: unknown): string {
  if (typeof key !== 'string' || key === '')
    throw new ConfigurationError('The API key is missing.');
  if (!/^[!-~]+$/.test(key)) {
    throw new ConfigurationError(
      'The API key has a space, a line break or another character that no key has. Copy it again.',
    );
  }
  return key;
}

export function checkedBase(base: string, name: string): string {
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

export const isPath = (path: string): boolean => path.startsWith('/');

/** An empty id, or one of dots, would name another path. */
export function checkedPath(path: string): void {
  if (isPath(path) && path.split('/').some((part, at) => at > 0 && /^\.{0,2}$/.test(part))) {
    throw new ConfigurationError(`An id in ${path} is empty or dots.`);
  }
}

/** The service takes 1 to 255 characters; headers have those of Latin-1. */
export function checkedIdempotencyKey(key: string): string {
  if (/^[ -~\u00a0-\u00ff]{1,255}$/.test(key)) return key;
  throw new ConfigurationError('An idempotencyKey has 1 to 255 characters of Latin-1.');
}

export function queryText(query: object = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  if (sent.length === 0) return '';
  return `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}
