/** Rows to pass over, or the id after which to go on. */
export type PageFrom = { offset: number } | { after: number };

/** Part of a listing in the order of ids: at most `limit` of those behind `after`. */
export interface ListPage {
  after: number;
  limit: number;
}

/** Up to so many rows of a list are counted; past it the answer has no count. */
export const mostCounted = 10_000;
