import type { ApiKey, CallFilters, CallPlace } from '../../accounts/index.ts';
import { compareDays, endOf, midnightOf } from '../../kernel/dates.ts';
import { typedDay } from '../frame/filters.tsx';

/** Query parameters of the call log. */
export const filterNames = ['text', 'status', 'key', 'method', 'from', 'to'] as const;
export type FilterName = (typeof filterNames)[number];
export type LogQuery = Readonly<Record<FilterName, string>>;

export type FilterFault = 'day' | 'order' | 'status' | 'key' | 'method';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const longestText = 200;

/** Classes of statuses, as in the query. */
export const statusClasses = ['2xx', '4xx', '5xx'] as const;

/** Parses a status such as 404, or a class of them such as 4xx. Returns null if it is neither. */
function statusIn(text: string): [number, number] | null {
  if (!/^[1-5](?:\d\d|xx)$/.test(text)) return null;
  return [Number(text.replace('xx', '00')), Number(text.replace('xx', '99'))];
}

export const queryIn = (query: URLSearchParams): LogQuery =>
  Object.fromEntries(
    filterNames.map((name) => [name, (query.get(name) ?? '').trim().slice(0, longestText)]),
  ) as LogQuery;

export interface ParsedFilters {
  filters: CallFilters;
  faults: Partial<Record<FilterName, FilterFault>>;
}

/** Parses the filters. Reports invalid fields and ignores them. */
export function parseFilters(query: LogQuery, keys: readonly ApiKey[]): ParsedFilters {
  const [from, to] = [typedDay(query.from), typedDay(query.to)];
  const key = keys.find(({ id }) => String(id) === query.key);
  const status = statusIn(query.status);
  const isOrdered = !from || !to || compareDays(from, to) <= 0;
  const toFault = to === undefined ? 'day' : isOrdered ? null : 'order';
  return {
    filters: {
      // PostgreSQL texts cannot hold NUL.
      text: query.text.replaceAll('\0', '') || null,
      method: methods.find((one) => one === query.method) ?? null,
      status,
      keyId: key?.id ?? null,
      from: from ? midnightOf(from) : null,
      before: to && toFault === null ? endOf(to) : null,
      slowerThanMs: null,
    },
    faults: {
      ...(query.status !== '' && status === null && { status: 'status' as const }),
      ...(query.key !== '' && !key && { key: 'key' as const }),
      ...(query.method !== '' &&
        !methods.some((one) => one === query.method) && { method: 'method' as const }),
      ...(from === undefined && { from: 'day' as const }),
      ...(toFault !== null && { to: toFault }),
    },
  };
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const placeShape = new RegExp(`^(\\d{1,17})_(${uuid})$`);

/** Parses the page's cursor. Returns null, the first page, if it is missing or malformed. */
export function placeIn(query: URLSearchParams): CallPlace | null {
  const [, micros, requestId] = placeShape.exec(query.get('behind') ?? '') ?? [];
  if (micros === undefined || requestId === undefined) return null;
  return { at: Temporal.Instant.fromEpochNanoseconds(BigInt(micros) * 1_000n), requestId };
}

export const placeText = ({ at, requestId }: CallPlace): string =>
  `${at.epochNanoseconds / 1_000n}_${requestId}`;
