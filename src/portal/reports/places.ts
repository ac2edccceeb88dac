import type { RowPlace } from '../../reports/index.ts';

export const rowsAtOnce = 50;

const placeShape = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})\.(\d{1,9})$/;

/** Parses the page's cursor. Returns null, the first page, without one. */
export function placeIn(query: URLSearchParams): RowPlace | null {
  const [, day = '', id, no] = placeShape.exec(query.get('behind') ?? '') ?? [];
  if (day === '') return null;
  try {
    return { day: Temporal.PlainDate.from(day), id: Number(id), no: Number(no) };
  } catch {
    return null;
  }
}

/** Returns the query with the next page's cursor. */
export const behind = ({ day, id, no }: RowPlace): string => `behind=${day}.${id}.${no}`;
