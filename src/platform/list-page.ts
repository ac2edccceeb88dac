/** Part of a listing in the order of ids: at most `limit` of those behind `after`. */
export interface ListPage {
  after: number;
  limit: number;
}
