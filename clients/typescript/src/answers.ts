import {
  type CallContext,
  ConnectionError,
  DeadlineError,
  type ErrorBody,
  type RecaudoError,
  RefusedError,
  retryAfterOf,
  UnexpectedAnswerError,
} from './errors.ts';
import { isJsonType } from './retries.ts';

/** The expected shape of an answer. `page` is an object whose `data` is a list of objects. */
export type Shape = 'object' | 'page' | 'items' | 'text';

/** Context of a call in progress, for the code that reads its answer. */
export interface Waiting {
  context: CallContext;
  /** Aborted by the deadline or by the caller. */
  signal: AbortSignal;
  deadline: AbortSignal;
  /** Removes the API key from a text. */
  hide: (text: string) => string;
}

const excerptLength = 200;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fits: Record<Shape, (value: unknown) => boolean> = {
  object: isObject,
  page: (value) => isObject(value) && Array.isArray(value.data) && value.data.every(isObject),
  items: Array.isArray,
  text: (value) => typeof value === 'string',
};

const isJson = (response: Response): boolean => isJsonType(response.headers.get('content-type'));

/** Parses a JSON text. Returns undefined if it is malformed. */
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

/** Returns the error for a failed `fetch` or a broken body. */
export function failureOf(error: unknown, waiting: Waiting, problem: string): unknown {
  const { context, signal, deadline } = waiting;
  if (deadline.aborted) {
    return new DeadlineError('The deadline passed before the answer came.', { ...context });
  }
  if (signal.aborted) return signal.reason;
  const code = systemCode(error);
  return new ConnectionError(`${problem}${code ? ` (${code})` : ''}.`, code, { ...context });
}

export async function textOf(response: Response, waiting: Waiting): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw failureOf(error, waiting, 'The connection ended within the answer');
  }
}

export function unexpected(
  problem: string,
  response: Response,
  text: string,
  { context, hide }: Waiting,
): UnexpectedAnswerError {
  const contentType = response.headers.get('content-type') ?? '';
  // A proxy may echo the request.
  const excerpt = hide(text).slice(0, excerptLength);
  const { status } = response;
  return new UnexpectedAnswerError(
    `${problem}: status ${status}, ${contentType || 'no content type'}.`,
    { status, contentType, excerpt, retryAfter: retryAfterOf(response.headers) },
    { ...context },
  );
}

/** Returns the value of a successful answer. Throws unless it has the expected shape. */
export async function readValue(
  response: Response,
  waiting: Waiting,
  shape: Shape,
): Promise<unknown> {
  const text = await textOf(response, waiting);
  if (!isJson(response)) throw unexpected('The answer is not JSON', response, text, waiting);
  const value = parsed(text);
  if (value === undefined) {
    throw unexpected('The answer is cut or malformed', response, text, waiting);
  }
  if (!fits[shape](value)) {
    throw unexpected('The answer has another shape', response, text, waiting);
  }
  return value;
}

/** Returns the error for an answer other than 2xx. */
export async function refusalOf(response: Response, waiting: Waiting): Promise<RecaudoError> {
  const text = await textOf(response, waiting);
  if (response.status < 400) {
    return unexpected('The address leads to another one', response, text, waiting);
  }
  const body = isJson(response) ? parsed(text) : undefined;
  if (isObject(body) && typeof body.error_code === 'string') {
    return new RefusedError(response, body as ErrorBody, { ...waiting.context });
  }
  return unexpected('Something other than the service answered', response, text, waiting);
}

/** Wraps a body so that a broken connection surfaces as one of this client's errors. */
export function watched(
  body: ReadableStream<Uint8Array>,
  waiting: Waiting,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(failureOf(error, waiting, 'The connection ended within the answer'));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
