/** Rows to skip, or the id to continue after. */
export type PageFrom = { offset: number } | { after: number };

/** Part of a listing by id: at most `limit` rows after `after`. */
export interface ListPage {
  after: number;
  limit: number;
}

/** Up to so many rows of a list are counted; past it the answer has no count. */
export const mostCounted = 10_000;
