import { type FieldFaultsByName, isConnectionFailure, Refusal } from '../errors.ts';

/** The error body of the payments service. */
export interface ErrorAnswer {
  code: number;
  message: string;
  children?: FieldFaultsByName;
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

const away = 'The database cannot be reached now. Nothing was promised; please repeat the call.';
const unexpected = 'Something went wrong on our side. The Request-Id header names this call.';

/** Turns whatever was thrown into an answer; `expected` is false for what must be looked into. */
export function errorAnswer(error: unknown): { answer: ErrorAnswer; expected: boolean } {
  if (error instanceof Refusal) {
    const { status, message, children } = error;
    return { answer: { code: status, message, ...(children && { children }) }, expected: true };
  }
  if (isConnectionFailure(error)) return { answer: { code: 503, message: away }, expected: false };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = byFrameworkCode[code];
  if (known) return { answer: { code: known.status, message: known.message }, expected: true };
  return { answer: { code: 500, message: unexpected }, expected: false };
}
