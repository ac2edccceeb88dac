/** Rows to skip, or the id to continue after. */
export type PageFrom = { offset: number } | { after: number };

/** Part of a listing by id: at most `limit` rows after `after`. */
export interface ListPage {
  after: number;
  limit: number;
}

/** Longer lists are not counted. */
export const mostCounted = 10_000;
