import { haveParts, searchWordsOf } from '../kernel/search-words.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { alsoOwnedBy, foundOf } from '../platform/postgres/distributed/owners.ts';
import type { RequestRow } from './row.ts';
import { requestColumns } from './store.ts';
import { searchedWords } from './words/store.ts';

/** Search terms for requests across accounts. Null is unset. */
export interface CandidateQuery {
  accountIds: readonly string[];
  /** Matches either total. */
  amount: number | null;
  /** The entire reference. */
  reference: string | null;
  id: number | null;
  /** Parts of words of payer, reference, description and email. '' is unset. */
  text: string;
}

/** Maximum number of otherwise matching rows compared with a text, newest first. */
export const mostCompared = 1_000;

export interface FoundCandidates {
  rows: RequestRow[];
  /** True if the limit was reached, so that further rows may match. */
  cut: boolean;
}

/**
 * Finds requests across accounts by amount, reference or id, each through its list's index, and
 * filters them by parts of words, newest first. A text alone finds nothing, because words are
 * indexed per account.
 */
export async function findCandidateRequests(
  sql: Queryable,
  { accountIds, amount, reference, id, text }: CandidateQuery,
  limit: number,
): Promise<FoundCandidates> {
  if (amount === null && reference === null && id === null) return { rows: [], cut: false };
  const sought = searchWordsOf(text);
  const most = sought.length === 0 ? limit : mostCompared;
  const findBy = (owners: string[], condition: ReturnType<Queryable>) => sql<RequestRow[]>`
    select r.* from unnest(${owners}::text[]) as account (id)
    cross join unnest('{payment_request,debit_request,card_debit_request}'::text[]) as kind (name)
    cross join lateral (
      select ${requestColumns(sql)} from requests r
      where r.account_id = account.id ${alsoOwnedBy(sql, 'r', owners)}
        and r.kind = kind.name and r.kind <> 'qr'
        ${condition}
        ${reference === null ? sql`` : sql`and r.reference = ${reference}`}
        ${id === null ? sql`` : sql`and r.id = ${id}`}
      order by r.id desc limit ${most}
    ) r
    order by r.id desc limit ${most}`;
  const found = async (condition: ReturnType<Queryable>): Promise<RequestRow[]> => {
    const rows = await foundOf(sql, accountIds, (owners) => findBy(owners, condition));
    return rows.toSorted((a, b) => b.id - a.id).slice(0, most);
  };
  const parts =
    amount === null
      ? [await found(sql``)]
      : [
          await found(sql`and r.total1 = ${amount}`),
          await found(sql`and r.total2 = ${amount} and r.total1 <> ${amount}`),
        ];
  const textOf = (row: RequestRow) => {
    const { payer_email: email } = row.details;
    return searchedWords({
      ...row,
      email: typeof email === 'string' ? email : null,
      qr_id: null,
    });
  };
  const rows = parts.flat().toSorted((a, b) => b.id - a.id);
  return {
    rows: rows.filter((row) => haveParts(textOf(row), sought)).slice(0, limit),
    cut: sought.length > 0 && parts.some((part) => part.length === most),
  };
}
