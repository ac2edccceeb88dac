import type { RowPlace } from '../../reports/index.ts';

/** Rows per page. */
export const rowsAtOnce = 50;

const placeShape = /^(\d{4}-\d{2}-\d{2})\.(\d{1,15})\.(\d{1,9})$/;

/** Parses a page's cursor from its link; without one it is the first page. */
export function placeIn(query: URLSearchParams): RowPlace | null {
  const [, day = '', id, no] = placeShape.exec(query.get('behind') ?? '') ?? [];
  if (day === '') return null;
  try {
    return { day: Temporal.PlainDate.from(day), id: Number(id), no: Number(no) };
  } catch {
    return null;
  }
}

/** The link parameters with the cursor of the next page. */
export const behind = ({ day, id, no }: RowPlace): string => `behind=${day}.${id}.${no}`;
