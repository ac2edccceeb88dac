import {
  DatabaseAway,
  type FieldFaultsByName,
  type FoundFault,
  isConnectionFailure,
  isOverruled,
  isReadOnly,
  Refusal,
  shownFaults,
  TooMany,
  walkFaults,
} from '../errors.ts';
import { currentErrand } from '../postgres/deadlines.ts';

/** What an error of the payments service says. */
export interface ErrorAnswer {
  code: number;
  message: string;
  error_code?: string;
  children?: FieldFaultsByName;
  /** What else a refusal tells, by member. */
  [detail: string]: unknown;
}

/** What an error of either service says; without `errors` its sentences are listed there. */
export interface AnyErrorAnswer {
  code: number | string;
  message: string;
  error_code?: string;
  children?: FieldFaultsByName;
  errors?: readonly object[];
}

const sentence = ({ path, message }: FoundFault): string => `${path.join('.')}: ${message}`;

/** One sentence for clients that show only one: the first fault, and the number of others. */
export function firstOf(faults: readonly FoundFault[]): string {
  const [first, ...more] = faults;
  if (!first) return 'Some fields are not valid.';
  return more.length === 0 ? sentence(first) : `${sentence(first)} (and ${more.length} more)`;
}

/** Brackets stand only around lists: clients cut the text of `errors` out at the first `]`. */
const withoutBrackets = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('[', '(').replaceAll(']', ')') : value;

/**
 * The text of every error body, of whatever kind and service. `errors` comes before `children`,
 * which has members of that name too, and no bracket stands in any sentence.
 */
export function errorText({ children, errors, error_code, ...head }: AnyErrorAnswer): string {
  const told = errors ?? (children ? walkFaults(children).map(sentence) : [head.message]);
  return JSON.stringify(
    {
      ...head,
      errors: told,
      ...(error_code && { error_code }),
      ...(children && { children: shownFaults(children) }),
    },
    withoutBrackets,
  );
}

const byFrameworkCode: Record<string, { status: number; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'The body is too large for this call.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    message: 'The body is not as long as its Content-Length says.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    message: 'The body must be JSON: send Content-Type: application/json.',
  },
  FST_ERR_MAX_PARAM_LENGTH: {
    status: 404,
    message: 'There is nothing at this path; /docs lists the calls.',
  },
  FST_ERR_BAD_URL: { status: 400, message: 'The address has a malformed percent encoding.' },
};

const reasonOf = (error: unknown): string => {
  if (isReadOnly(error)) return 'The database takes no writes now.';
  if (isOverruled(error)) return 'Another call held what this one needed.';
  return 'The database cannot be reached now.';
};
const outcomeUnknown =
  'The database did not say whether it did what this call asked for: the outcome is unknown. ' +
  'Repeat the call with the same Idempotency-Key, or read what is there before you repeat it.';

/** A call that the database did not do: whether anything that it wrote may have been kept. */
const awayMessage = (error: unknown): string =>
  currentErrand().trace.wrote || (error instanceof DatabaseAway && error.outcome === 'unknown')
    ? outcomeUnknown
    : `${reasonOf(error)} Nothing was done: it is safe to repeat the call.`;

/** What serves files refuses paths that lead elsewhere with an error of its own. */
const missingFile = (error: unknown) =>
  error instanceof Error && 'statusCode' in error && [403, 404].includes(Number(error.statusCode))
    ? byFrameworkCode.FST_ERR_MAX_PARAM_LENGTH
    : undefined;

const unexpected = 'Something went wrong on our side. The Request-Id header names this call.';

/** Seconds that an answer names as Retry-After; null: none. */
export const retryAfterOf = (status: number, error?: unknown): number | null => {
  if (error instanceof TooMany) return error.retryAfterSeconds;
  return status === 503 ? 1 : null;
};

/** Turns whatever was thrown into an answer; `expected` is false for what must be looked into. */
export function errorAnswer(error: unknown): {
  answer: ErrorAnswer;
  expected: boolean;
  retryAfter: number | null;
} {
  const told = answerTo(error);
  return { ...told, retryAfter: retryAfterOf(told.answer.code, error) };
}

function answerTo(error: unknown): { answer: ErrorAnswer; expected: boolean } {
  if (error instanceof Refusal) {
    const { status, errorCode, children, details } = error;
    const message = children ? firstOf(walkFaults(children)) : error.message;
    const answer = {
      code: status,
      message,
      ...details,
      ...(errorCode !== undefined && { error_code: errorCode }),
      ...(children && { children }),
    };
    return { answer, expected: true };
  }
  if (isConnectionFailure(error) || isOverruled(error)) {
    return { answer: { code: 503, message: awayMessage(error) }, expected: false };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = byFrameworkCode[code] ?? missingFile(error);
  if (known) return { answer: { code: known.status, message: known.message }, expected: true };
  return { answer: { code: 500, message: unexpected }, expected: false };
}
