import { setImmediate as othersTurn } from 'node:timers/promises';
import { partsOf } from '../../kernel/lists.ts';
import { refusal } from '../codes.ts';
import {
  DatabaseAway,
  type FieldFaultsByName,
  type FoundFault,
  isConnectionFailure,
  isOverruled,
  isReadOnly,
  presentFaults,
  Refusal,
  TooMany,
  walkFaults,
} from '../errors.ts';
import { currentErrand } from '../postgres/deadlines.ts';

/** Body of an error of the payments service. */
export interface ErrorAnswer {
  code: number;
  message: string;
  error_code?: string;
  children?: FieldFaultsByName;
  /** Further members of a refusal. */
  [detail: string]: unknown;
}

/** Error body of both services. Without `errors` and `children`, `message` is the only sentence. */
export interface AnyErrorAnswer {
  code: number | string;
  message: string;
  error_code?: string;
  children?: FieldFaultsByName;
  errors?: readonly object[];
}

const sentence = ({ path, message }: FoundFault): string => `${path.join('.')}: ${message}`;

/**
 * Returns one sentence for clients that show only one: the first fault, and how many others there
 * are.
 */
export function firstOf(faults: readonly FoundFault[]): string {
  const [first, ...more] = faults;
  if (!first) return refusal('invalid_fields', {}).message;
  return more.length === 0 ? sentence(first) : `${sentence(first)} (and ${more.length} more)`;
}

/** Keeps brackets out of sentences, because clients cut `errors` at the first `]`. */
const withoutBrackets = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('[', '(').replaceAll(']', ')') : value;

/**
 * Serializes an error body. `errors` precedes `children`, whose members repeat the name, and
 * sentences contain no brackets.
 */
export function errorText({ children, errors, error_code, ...head }: AnyErrorAnswer): string {
  const sentences = errors ?? (children ? walkFaults(children).map(sentence) : [head.message]);
  return JSON.stringify(
    {
      ...head,
      errors: sentences,
      ...(error_code && { error_code }),
      ...(children && { children: presentFaults(children) }),
    },
    withoutBrackets,
  );
}

/** Faults serialized per turn of the event loop. */
export const faultsAtOnce = 500;

/**
 * Serializes an error body with a long list of faults like `errorText`, piece by piece, yielding to
 * other work. `present` converts a fault to its form in the list.
 */
export async function* errorPieces<T>(
  head: { code: number | string; message: string; error_code?: string },
  faults: readonly T[],
  present: (fault: T) => object,
): AsyncGenerator<string> {
  // Sentences contain no brackets, so the empty list is the only pair.
  const [before, after] = errorText({ ...head, errors: [] }).split('[]', 2);
  let opening = `${before}[`;
  for (const some of partsOf(faults, faultsAtOnce)) {
    const texts = some.map((fault) => JSON.stringify(present(fault), withoutBrackets));
    yield `${opening}${texts.join(',')}`;
    opening = ',';
    await othersTurn();
  }
  yield `]${after}`;
}

const byFrameworkCode: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => refusal('body_too_large', { limit: 0 }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => refusal('content_length_mismatch', {}),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => refusal('unsupported_media_type', {}),
  FST_ERR_MAX_PARAM_LENGTH: () => refusal('path_not_found', {}),
  FST_ERR_BAD_URL: () => refusal('invalid_url', {}),
};

/** Converts a database failure to a refusal that says whether a write may have been committed. */
function awayRefusal(error: unknown): Refusal {
  const unknown = error instanceof DatabaseAway && error.outcome === 'unknown';
  if (unknown || currentErrand().trace.wrote) return refusal('outcome_unknown', {});
  if (isReadOnly(error)) return refusal('database_read_only', {});
  return refusal(isOverruled(error) ? 'call_overruled' : 'database_unreachable', {});
}

/** Returns true for the file server's error for paths that are missing or outside its folder. */
const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && 'statusCode' in error && [403, 404].includes(Number(error.statusCode));

/** Returns Retry-After in seconds, or null for none. */
export const retryAfterOf = (status: number, error?: unknown): number | null => {
  if (error instanceof TooMany) return error.retryAfterSeconds;
  return status === 503 ? 1 : null;
};

/** Converts an error to a response. `expected` is false for errors to investigate. */
export function errorAnswer(error: unknown): {
  answer: ErrorAnswer;
  expected: boolean;
  retryAfter: number | null;
} {
  const answer = answerTo(error);
  return { ...answer, retryAfter: retryAfterOf(answer.answer.code, error) };
}

export function refusalAnswer({
  status,
  message,
  errorCode,
  children,
  details,
}: Refusal): ErrorAnswer {
  return {
    code: status,
    message: children ? firstOf(walkFaults(children)) : message,
    ...details,
    ...(errorCode !== undefined && { error_code: errorCode }),
    ...(children && { children }),
  };
}

function answerTo(error: unknown): { answer: ErrorAnswer; expected: boolean } {
  if (error instanceof Refusal) return { answer: refusalAnswer(error), expected: true };
  if (isConnectionFailure(error) || isOverruled(error)) {
    return { answer: refusalAnswer(awayRefusal(error)), expected: false };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = byFrameworkCode[isMissingFile(error) ? 'FST_ERR_MAX_PARAM_LENGTH' : code]?.();
  return known
    ? { answer: refusalAnswer(known), expected: true }
    : { answer: refusalAnswer(refusal('internal_error', {})), expected: false };
}
