import type { ListQuery } from '../protocol/connector.ts';

/** The bank's largest page. */
export const pageSize = 50;
/** More pages of one window are not read: somebody must look. */
const mostPages = 400;
const dayMs = 86_400_000;

/** Days whose list is asked for, as `yyyy-mm-dd`; both are included. */
export interface ListWindow {
  from: string;
  until: string;
  /** Transfers only; the default lists those that were sent. */
  origin?: 'TRANSFERENCIAS_RECIBIDAS';
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The days of two moments and one more at either end: the documents do not say in which time zone
 * a day is, or whether the last one is included.
 */
export const windowOf = (fromMs: number, untilMs: number): ListWindow => ({
  from: dayOf(fromMs - dayMs),
  until: dayOf(untilMs + dayMs),
});

/** So many days, until now. */
export const lastDays = (days: number): ListWindow =>
  windowOf(Date.now() - days * dayMs, Date.now());

export const queryWindow = ({ from, until }: ListQuery): ListWindow =>
  windowOf(Date.parse(from), Date.parse(until));

/** Lists are asked for by headers; pages are numbered from 1. */
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

/** Rows of a window, page by page, in whatever order the bank has them. */
export async function* rowsOf<Row>(
  read: (page: number) => Promise<{ rows: Row[]; isFull: boolean }>,
): AsyncGenerator<Row> {
  for (let page = 1; page <= mostPages; page += 1) {
    const { rows, isFull } = await read(page);
    yield* rows;
    if (!isFull) return;
  }
  throw new Error(`A list has more than ${mostPages} pages.`);
}

/** The page that `after` names: `next` of the one before. */
export const pageIn = ({ after }: ListQuery): number =>
  /^[1-9]\d{0,5}$/.test(after ?? '') ? Number(after) : 1;
