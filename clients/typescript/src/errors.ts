import type { ApiError, QrError } from './types.ts';

/** A field that the service refused. */
export interface FieldError {
  /** As in `items.0.amount`; of a batch, without the place of its item. */
  path: string;
  message: string;
  /** Stable, for programs; absent where the service gives none. */
  code?: string;
  /** Of a batch: the place of the item, from 0, and its id. */
  index?: number;
  id?: string;
}

/** The call of an error. */
export interface CallContext {
  method: string;
  path: string;
  attempts: number;
  /** Repeat the call with the same key, and nothing happens twice; absent on calls without one. */
  idempotencyKey?: string;
}

/** The base of all errors of this client. None of them holds the API key. */
export class RecaudoError extends Error {
  // Written out: bundlers shorten the names of classes.
  override name = 'RecaudoError';
  readonly call: CallContext | undefined;

  constructor(message: string, call?: CallContext) {
    super(message);
    this.call = call;
  }
}

/** The client was given something that cannot work, such as a key with spaces or an empty id. */
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

/** The fields of a refusal; none if its shape is not the service's. */
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

/** Seconds that a Retry-After asks for, as a number or as a moment; undefined: none. */
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
  /** Stable, for programs: one meaning each. docs/reference/errors.md lists them. */
  readonly error_code: string;
  /** Of the QR service: its own code, such as H103. */
  readonly qrCode: string | undefined;
  /** The fields that are wrong. */
  readonly fields: readonly FieldError[];
  /** Names the call in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds after which the same call may go through. */
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

/** The answer is not the service's: a page of a proxy, a cut text, another type or shape. */
export class UnexpectedAnswerError extends RecaudoError {
  override name = 'UnexpectedAnswerError';
  readonly status: number;
  readonly contentType: string;
  /** How the answer begins. */
  readonly excerpt: string;
  /** Seconds after which to call again, if it says so. */
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

/** No whole answer came: the service was not reached, or the connection ended. */
export class ConnectionError extends RecaudoError {
  override name = 'ConnectionError';
  /** The system's code, such as ECONNREFUSED; absent if it has none. */
  readonly code: string | undefined;

  constructor(problem: string, code: string | undefined, call: CallContext) {
    super(problem, call);
    this.code = code;
  }
}

/** The deadline passed. What a call that changes something did is unknown. */
export class DeadlineError extends RecaudoError {
  override name = 'DeadlineError';
}

/** A webhook that was not sent by the service, or not in this form. */
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
