import { parseIsoDay } from '../../kernel/dates.ts';
import type { RowPlace } from '../../reports/index.ts';

export const rowsAtOnce = 50;

const placeShape = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})\.(\d{1,9})$/;

/** Parses the page's cursor. Returns null, the first page, if it is missing or malformed. */
export function placeIn(query: URLSearchParams): RowPlace | null {
  const [, day = '', id, no] = placeShape.exec(query.get('behind') ?? '') ?? [];
  const on = parseIsoDay(day);
  return on === null ? null : { day: on, id: Number(id), no: Number(no) };
}

/** Returns the query with the next page's cursor. */
export const behind = ({ day, id, no }: RowPlace): string => `behind=${day}.${id}.${no}`;
