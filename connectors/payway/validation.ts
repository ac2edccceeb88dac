/** A fault of an order; the acquirer wraps them in three formats. */
export interface ValidationFault {
  code: string;
  param: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function listOf(body: unknown): unknown {
  if (Array.isArray(body)) return body;
  if (!isObject(body)) return null;
  if (isObject(body.error) || Array.isArray(body.error)) return listOf(body.error);
  return body.validation_errors ?? null;
}

/** Returns the faults of an order; null if the answer is unreadable. */
export function faultsOf(body: unknown): ValidationFault[] | null {
  const list = listOf(body);
  if (isObject(list)) {
    return Object.entries(list).map(([param, code]) => ({ code: String(code), param }));
  }
  if (!Array.isArray(list) || list.length === 0) return null;
  const faults = list.filter(isObject).map(({ code, param }) => ({
    code: String(code ?? ''),
    param: String(param ?? ''),
  }));
  return faults.length === list.length ? faults : null;
}

export const faultText = (faults: readonly ValidationFault[]): string =>
  faults
    .map(({ code, param }) => `${param} ${code}`)
    .join(', ')
    .slice(0, 200);
