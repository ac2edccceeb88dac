import type { Queryable } from '../../platform/postgres/connect.ts';
import {
  type FoundCandidates,
  findCandidateRequests,
  findRequestsByWords,
  noFilters,
  type RequestRow,
} from '../../requests/index.ts';

/** Search terms for the request that suspense money pays. '' and null are unset. */
export interface CandidateSearch {
  /** Null selects all accounts. */
  accountId: string | null;
  amount: number | null;
  reference: string;
  /** Word prefixes of payer, reference, description and email, or the request's number. */
  text: string;
}

const kinds = ['payment_request', 'debit_request', 'card_debit_request'] as const;

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text.trim());

/** Returns true if the terms suffice. Across all accounts a name alone does not. */
export const isSearchable = ({ accountId, amount, reference, text }: CandidateSearch): boolean =>
  amount !== null || reference !== '' || isNumber(text) || (accountId !== null && text !== '');

/** Searches the given accounts at once. Matches the amount due on either due date. */
function findByAmount(
  sql: Queryable,
  accountIds: readonly string[],
  { amount, reference, text }: CandidateSearch,
  limit: number,
): Promise<FoundCandidates> {
  const id = isNumber(text) ? Number(text.trim()) : null;
  const filter = { accountIds, amount, reference: reference === '' ? null : reference };
  return findCandidateRequests(sql, { ...filter, id, text: id === null ? text : '' }, limit);
}

async function ofOneAccount(
  sql: Queryable,
  accountId: string,
  search: CandidateSearch,
  { today, limit }: { today: Temporal.PlainDate; limit: number },
): Promise<FoundCandidates> {
  const { amount, reference, text } = search;
  const filters = {
    ...noFilters,
    external_reference: reference === '' ? null : reference,
    totalFrom: amount,
    totalUntil: amount,
  };
  const sought = { accountId, text, filters, before: null, limit, today };
  const [byAmount, ...found] = await Promise.all([
    amount === null ? { rows: [], cut: false } : findByAmount(sql, [accountId], search, limit),
    ...kinds.map((kind) => findRequestsByWords<RequestRow>(sql, { ...sought, kind })),
  ]);
  const all = [...byAmount.rows, ...found.flat()];
  const rows = [...new Map(all.map((row) => [row.id, row])).values()]
    .toSorted((a, b) => b.id - a.id)
    .slice(0, limit);
  return { rows, cut: byAmount.cut };
}

/** Finds requests that suspense money may pay, newest first. */
export async function findCandidates(
  sql: Queryable,
  accountIds: readonly string[],
  search: CandidateSearch,
  page: { today: Temporal.PlainDate; limit: number },
): Promise<FoundCandidates> {
  if (!isSearchable(search)) return { rows: [], cut: false };
  const { accountId } = search;
  if (accountId !== null) return await ofOneAccount(sql, accountId, search, page);
  return await findByAmount(sql, accountIds, search, page.limit);
}
