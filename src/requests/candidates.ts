import { hasPrefixes, searchWordsOf } from '../kernel/search-words.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { alsoOwnedBy, foundOf } from '../platform/postgres/distributed/owners.ts';
import type { RequestRow } from './row.ts';
import { requestColumns } from './store.ts';
import { searchedWords } from './words/store.ts';

/** Search terms of a request over accounts; null if unknown. */
export interface CandidateQuery {
  accountIds: readonly string[];
  /** The first or the second total. */
  amount: number | null;
  /** The account's whole reference. */
  reference: string | null;
  id: number | null;
  /** Beginnings of words of payer, reference, description and e-mail; '': none. */
  text: string;
}

/** So many of those that match otherwise are compared with a text, the newest. */
export const mostCompared = 1_000;

export interface FoundWanted {
  rows: RequestRow[];
  /** True if more rows match otherwise than were compared with the text. */
  cut: boolean;
}

/**
 * Finds requests over accounts by amount, reference or id, each by the index of its list, and
 * filters them by beginnings of words; newest first. A text alone finds nothing: words are searched
 * account by account.
 */
export async function findWanted(
  sql: Queryable,
  { accountIds, amount, reference, id, text }: CandidateQuery,
  limit: number,
): Promise<FoundWanted> {
  if (amount === null && reference === null && id === null) return { rows: [], cut: false };
  const prefixes = searchWordsOf(text);
  const most = prefixes.length === 0 ? limit : mostCompared;
  const findBy = (owners: string[], asked: ReturnType<Queryable>) => sql<RequestRow[]>`
    select r.* from unnest(${owners}::text[]) as account (id)
    cross join unnest('{payment_request,debit_request,card_debit_request}'::text[]) as kind (name)
    cross join lateral (
      select ${requestColumns(sql)} from requests r
      where r.account_id = account.id ${alsoOwnedBy(sql, 'r', owners)}
        and r.kind = kind.name and r.kind <> 'qr'
        ${asked}
        ${reference === null ? sql`` : sql`and r.reference = ${reference}`}
        ${id === null ? sql`` : sql`and r.id = ${id}`}
      order by r.id desc limit ${most}
    ) r
    order by r.id desc limit ${most}`;
  const found = async (asked: ReturnType<Queryable>): Promise<RequestRow[]> => {
    const rows = await foundOf(sql, accountIds, (owners) => findBy(owners, asked));
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
    rows: rows.filter((row) => hasPrefixes(textOf(row), prefixes)).slice(0, limit),
    cut: prefixes.length > 0 && parts.some((part) => part.length === most),
  };
}
