import type { ListQuery } from '../protocol/connector.ts';

/** The bank's largest page. */
export const pageSize = 50;
/** Page limit of one window; exceeding it is an error for the operator to examine. */
const mostPages = 400;
const dayMs = 86_400_000;

/** Days of a list as `yyyy-mm-dd`, both included. */
export interface ListWindow {
  from: string;
  until: string;
  /** Restricts the list to received transfers. By default, it contains the sent ones. */
  origin?: 'TRANSFERENCIAS_RECIBIDAS';
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Returns the days between two moments, plus one at each end: the documentation states neither the
 * time zone of a day nor whether the last day is included.
 */
export const windowOf = (fromMs: number, untilMs: number): ListWindow => ({
  from: dayOf(fromMs - dayMs),
  until: dayOf(untilMs + dayMs),
});

/** Returns the last `days` days, up to now. */
export const lastDays = (days: number): ListWindow =>
  windowOf(Date.now() - days * dayMs, Date.now());

export const queryWindow = ({ from, until }: ListQuery): ListWindow =>
  windowOf(Date.parse(from), Date.parse(until));

/** Headers that select a list's page; pages count from 1. */
export const listHeaders = (
  { from, until, origin }: ListWindow,
  page: number,
): Record<string, string> => ({
  obp_limit: String(pageSize),
  obp_offset: String(page),
  obp_from_date: from,
  obp_to_date: until,
  ...(origin && { obp_origin: origin }),
});

/** Yields a window's rows page by page, in the bank's order. */
export async function* rowsOf<Row>(
  read: (page: number) => Promise<{ rows: Row[]; isFull: boolean }>,
): AsyncGenerator<Row> {
  for (let page = 1; ; page += 1) {
    const { rows, isFull } = await read(page);
    if (page > mostPages && rows.length > 0) {
      throw new Error(`A list has more than ${mostPages} pages.`);
    }
    yield* rows;
    if (!isFull) return;
  }
}

/** Returns the page number in `after`, which is the previous page's `next`. */
export const pageIn = ({ after }: ListQuery): number =>
  /^[1-9]\d{0,5}$/.test(after ?? '') ? Number(after) : 1;
