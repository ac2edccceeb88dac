import { ConfigurationError } from './errors.ts';

export interface ClientOptions {
  /** An API key. Create one in the portal, under Integraciones. */
  key: string;
  /** Base URL of the service, such as `https://pay.example.com`. */
  baseUrl: string;
  /** Base URL of the QR service, if it differs. */
  qrBaseUrl?: string | undefined;
  /** Time limit of a call in milliseconds, including its retries; 30000 by default. */
  deadline?: number | undefined;
  /** Maximum number of retries; 4 by default, 0 disables them. */
  retries?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Called after each attempt, for logging. Receives neither the key nor bodies. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** One attempt of a call. */
export interface Attempt {
  method: string;
  /** Path without the query. */
  path: string;
  /** Counts from 1. */
  number: number;
  /** HTTP status; absent if no answer arrived. */
  status?: number;
  requestId?: string;
  ms: number;
}

export interface CallOptions {
  /** Aborts the call, its retries and the reading of its body. */
  signal?: AbortSignal | undefined;
  /** Replaces the client's `deadline` for this call. */
  deadline?: number | undefined;
  /** Replaces the generated key, for example with your order number. */
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
  // Differs from `href` if the URL has a password, a query or a fragment.
  const plain = url ? url.origin + url.pathname : '';
  if (!/^https?:/.test(plain) || url?.href !== plain) {
    throw new ConfigurationError(
      `${name} must be an http or https address without password, query and fragment.`,
    );
  }
  return plain.replace(/\/+$/, '');
}

export const isPath = (path: string): boolean => path.startsWith('/');

/** Rejects an id that is empty or consists of dots, because it would address another path. */
export function checkedPath(path: string): void {
  if (isPath(path) && path.split('/').some((part, at) => at > 0 && /^\.{0,2}$/.test(part))) {
    throw new ConfigurationError(`An id in ${path} is empty or dots.`);
  }
}

/** The service accepts 1 to 255 characters, and headers allow only Latin-1. */
export function checkedIdempotencyKey(key: string): string {
  if (/^[ -~\u00a0-\u00ff]{1,255}$/.test(key)) return key;
  throw new ConfigurationError('An idempotencyKey has 1 to 255 characters of Latin-1.');
}

export function queryText(query: object = {}): string {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  if (sent.length === 0) return '';
  return `?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}
