import type { ApiError, QrError } from './types.ts';

/** A field that the service refused. */
export interface FieldError {
  /** Such as `items.0.amount`. In a batch, relative to the item. */
  path: string;
  message: string;
  /** Stable code for programs; absent if the service sends none. */
  code?: string;
  /** Index of the batch item, from 0, and its id. */
  index?: number;
  id?: string;
}

/** The call that failed. */
export interface CallContext {
  method: string;
  path: string;
  attempts: number;
  /** Repeating the call with this key has no further effect; absent on calls without a key. */
  idempotencyKey?: string;
}

/** Base class of all errors of this client. None of them contains the API key. */
export class RecaudoError extends Error {
  // Explicit, because bundlers shorten class names.
  override name = 'RecaudoError';
  readonly call: CallContext | undefined;

  constructor(message: string, call?: CallContext) {
    super(message);
    this.call = call;
  }
}

/** An argument that can never work, such as a key with spaces or an empty id. */
export class ConfigurationError extends RecaudoError {
  override name = 'ConfigurationError';
}

export type ErrorBody = Partial<ApiError> | Partial<QrError>;
type Tree = NonNullable<ApiError['children']>;

const fieldsOf = (children: Tree, path: string[] = []): FieldError[] =>
  Object.entries(children).flatMap(([name, { errors = [], codes = [], children: inner = {} }]) => {
    const here = [...path, name];
    const own = errors.map((message, place) => {
      const code = codes[place];
      return { path: here.join('.'), message, ...(code !== undefined && { code }) };
    });
    return own.length > 0 ? own : fieldsOf(inner, here);
  });

/** Returns the faulty fields of a refusal, or none if the body has an unknown shape. */
function fieldErrors(body: ErrorBody): FieldError[] {
  try {
    return readFieldErrors(body);
  } catch {
    return [];
  }
}

function readFieldErrors(body: ErrorBody): FieldError[] {
  if ('children' in body && body.children) return fieldsOf(body.children);
  return (body.errors ?? []).flatMap((one) => {
    if (typeof one === 'string') return [];
    const { field = '', message, error_code: code, index, id } = one;
    return [
      {
        path: field,
        message,
        ...(code !== undefined && { code }),
        ...(index !== undefined && { index }),
        ...(id !== undefined && { id }),
      },
    ];
  });
}

/**
 * Returns the seconds of a Retry-After header, which may be a number or a date; undefined if
 * missing.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const moment = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - Date.now()) / 1000);
}

/** The service refused the call. */
export class RefusedError extends RecaudoError {
  override name = 'RefusedError';
  /** HTTP status. */
  readonly status: number;
  /** Stable code for programs, with a single meaning. docs/reference/errors.md lists all codes. */
  readonly error_code: string;
  /** The QR service's own code, such as H103. */
  readonly qrCode: string | undefined;
  /** The faulty fields. */
  readonly fields: readonly FieldError[];
  /** Identifies the call in the service's logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before repeating the call. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: ErrorBody, call: CallContext) {
    super(`${body.message ?? 'No message'} (${response.status} ${body.error_code})`, call);
    this.status = response.status;
    this.error_code = body.error_code ?? '';
    this.qrCode = typeof body.code === 'string' ? body.code : undefined;
    this.fields = fieldErrors(body);
    this.requestId = response.headers.get('request-id') ?? undefined;
    this.retryAfter = retryAfterOf(response.headers);
  }
}

/**
 * The answer did not come from the service: a proxy's page, a truncated text, another type or
 * shape.
 */
export class UnexpectedAnswerError extends RecaudoError {
  override name = 'UnexpectedAnswerError';
  readonly status: number;
  readonly contentType: string;
  /** Start of the answer. */
  readonly excerpt: string;
  /** Seconds to wait before repeating the call, if the answer has a Retry-After header. */
  readonly retryAfter: number | undefined;

  constructor(
    problem: string,
    answer: {
      status: number;
      contentType: string;
      excerpt: string;
      retryAfter?: number | undefined;
    },
    call: CallContext,
  ) {
    super(problem, call);
    this.status = answer.status;
    this.contentType = answer.contentType;
    this.excerpt = answer.excerpt;
    this.retryAfter = answer.retryAfter;
  }
}

/** No complete answer arrived: the service was unreachable, or the connection broke. */
export class ConnectionError extends RecaudoError {
  override name = 'ConnectionError';
  /** System error code, such as ECONNREFUSED; absent if there is none. */
  readonly code: string | undefined;

  constructor(problem: string, code: string | undefined, call: CallContext) {
    super(problem, call);
    this.code = code;
  }
}

/** The deadline passed. A call that writes may have succeeded. */
export class DeadlineError extends RecaudoError {
  override name = 'DeadlineError';
}

/** A webhook that the service did not send, or that was changed on the way. */
export class WebhookError extends RecaudoError {
  override name = 'WebhookError';
  readonly reason:
    | 'header_missing'
    | 'timestamp_malformed'
    | 'too_old'
    | 'too_new'
    | 'secret_malformed'
    | 'body_not_raw'
    | 'signature_wrong'
    | 'body_not_json';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
