/** Rows to skip, or the id to continue after. */
export type PageFrom = { offset: number } | { after: number };

/** Part of a listing by id: at most `limit` rows after `after`. */
export interface ListPage {
  after: number;
  limit: number;
}

/** Lists with more rows have no count. */
export const mostCounted = 10_000;
