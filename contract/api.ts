/** Thrown for a fault of the implementation under test. The message is one sentence. */
export class Breach extends Error {}

/** Thrown by a check that cannot run against this implementation. */
export class Skip extends Error {}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
}

export interface Target {
  base: string;
  qrBase: string;
  key: string;
}

export interface CallOptions {
  body?: unknown;
  /** Replaces the API key; null omits the Authorization header. */
  key?: string | null;
  headers?: Record<string, string>;
}

export interface Api {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Calls the QR service. */
  qr(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

const longestCallMs = 60_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates a client of the implementation. Its errors never contain the key. */
export function openApi({ base, qrBase, key: usualKey }: Target): Api {
  const to =
    (origin: string) =>
    async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
      const { body, key = usualKey, headers = {} } = options;
      try {
        const response = await fetch(`${origin}${path}`, {
          method,
          redirect: 'manual',
          signal: AbortSignal.timeout(longestCallMs),
          headers: {
            accept: 'application/json',
            ...(key !== null && { authorization: `Bearer ${key}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const { status } = response;
        return { status, headers: response.headers, text, body: parsed(text) };
      } catch (error) {
        const name = error instanceof Error ? error.name : 'unknown';
        throw new Breach(`${method} ${path} got no answer (${name})`);
      }
    };
  return { call: to(base), qr: to(qrBase) };
}

const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 120);

/** Throws unless the status is one of these. The error quotes the start of the body. */
export function expectStatus(answer: Answer, ...wanted: number[]): void {
  if (wanted.includes(answer.status)) return;
  const began = answer.text.slice(0, 160).replace(/\s+/g, ' ');
  throw new Breach(`status ${answer.status} instead of ${wanted.join(' or ')}: ${began}`);
}

export function expectRefused(answer: Answer, what: string): void {
  if (answer.status >= 400 && answer.status < 500) return;
  throw new Breach(`${what} is answered with status ${answer.status} instead of 4xx`);
}

export type Kind = 'integer' | 'number' | 'text' | 'date-time' | 'url' | 'list' | 'object';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

const fits: Record<Kind, (value: unknown) => boolean> = {
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  'date-time': (value) => typeof value === 'string' && isDateTime.test(value),
  url: (value) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value),
  list: Array.isArray,
  object: isObject,
};

/** Returns the body. Throws unless it is an object with these members. */
export function expectMembers(
  body: unknown,
  members: Record<string, Kind>,
): Record<string, unknown> {
  if (!isObject(body)) throw new Breach(`the body is ${shown(body)} instead of an object`);
  for (const [name, kind] of Object.entries(members)) {
    if (!fits[kind](body[name])) throw new Breach(`${name} is ${shown(body[name])}: no ${kind}`);
  }
  return body;
}

/** Returns the items of a list. Throws unless each is an object with these members. */
export function expectItems(
  value: unknown,
  members: Record<string, Kind>,
): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Breach(`${shown(value)} is no list`);
  return value.map((one) => expectMembers(one, members));
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  );
};

export function expectEqual(found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(sorted(found)) === JSON.stringify(sorted(wanted))) return;
  throw new Breach(`${what} is ${shown(found)} instead of ${shown(wanted)}`);
}
