import {
  ConnectionError,
  type RecaudoError,
  RefusedError,
  UnexpectedAnswerError,
} from './errors.ts';

/**
 * When a call may be retried. `safe`: always, since it is idempotent. `keyed`: always, with its
 * Idempotency-Key. `once`: only if the service was unreachable or reports that it did nothing.
 */
export type Repeat = 'safe' | 'keyed' | 'once';

const firstPauseMs = 200;
const longestPauseMs = 8_000;
/** The longest delay that timers accept: 24 days. */
export const longestTimerMs = 2 ** 31 - 1;

export const isJsonType = (contentType: string | null): boolean =>
  /^application\/json\b/i.test(contentType ?? '');

const repeatableStatuses = [429, 502, 503, 504];
const keyStillBusy = ['idempotency_key_in_use', 'idempotency_key_expired'];

function refusalMayPass(error: RefusedError, repeat: Repeat): boolean {
  const { status, error_code, retryAfter } = error;
  if (status === 429) return retryAfter !== undefined;
  if (status === 408) return true;
  if (status === 409) return repeat === 'keyed' && keyStillBusy.includes(error_code);
  return status === 503 && (repeat !== 'once' || error_code !== 'outcome_unknown');
}

/** Malformed JSON in a 2xx answer is transient. An HTML page in its place is not. */
const unexpectedMayPass = ({ status, contentType }: UnexpectedAnswerError): boolean =>
  repeatableStatuses.includes(status) || (status < 300 && isJsonType(contentType));

export function mayPass(error: unknown, repeat: Repeat): error is RecaudoError {
  if (error instanceof RefusedError) return refusalMayPass(error, repeat);
  if (error instanceof ConnectionError) return repeat !== 'once' || error.code === 'ECONNREFUSED';
  return error instanceof UnexpectedAnswerError && repeat !== 'once' && unexpectedMayPass(error);
}

/**
 * Returns the milliseconds before the next attempt: exponential backoff, half of it random, and at
 * least Retry-After.
 */
export function pauseAfter(error: RecaudoError, attempt: number): number {
  const whole = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
  const answered = error instanceof RefusedError || error instanceof UnexpectedAnswerError;
  const asked = answered ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(asked, whole * (0.5 + Math.random() / 2));
}

/** Waits. Rejects with the signal's reason if it is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
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
