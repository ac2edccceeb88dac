import type { Acting } from '../platform/base.ts';
import { lockNames } from '../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import { noteUser } from './note.ts';

export interface FilterPlace {
  accountId: string;
  userId: number;
  list: 'requests';
}

/** A saved search, as its list's query string. */
export interface SavedFilter {
  name: string;
  query: string;
}

/** Maximum per list. A longer one would be hard to scan. */
export const mostSavedFilters = 20;

export const savedFilters = (
  sql: Queryable,
  { accountId, userId, list }: FilterPlace,
): Promise<SavedFilter[]> => sql<SavedFilter[]>`
  select name, query from saved_filters
  where account_id = ${accountId} and user_id = ${userId} and list = ${list} order by name`;

/** Saves a filter. Replaces one of the same name. Throws 409 if there are too many. */
export async function saveFilter(
  acting: Acting,
  { accountId, userId, list }: FilterPlace,
  { name, query }: SavedFilter,
): Promise<void> {
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    // Serializes concurrent saves, so that each counts the earlier ones.
    await lockNames(tx, `saved filters ${accountId} ${userId} ${list}`);
    const saved = await tx`
      insert into saved_filters (account_id, user_id, list, name, query, created_at)
      select ${accountId}, ${userId}, ${list}, ${name}, ${query},
        ${acting.clocks.wall.now()}::timestamptz
      where (select count(*) from saved_filters
        where account_id = ${accountId} and user_id = ${userId} and list = ${list}
          and name <> ${name}) < ${mostSavedFilters}
      on conflict (account_id, user_id, list, name) do update set query = excluded.query
      returning 1`;
    if (saved.length === 0) {
      throw refusal('filter.limit_reached', { most: mostSavedFilters });
    }
    const data = { account_id: accountId, list };
    await noteUser(tx, acting, { eventId, userId, type: 'user.filter_saved', data });
  });
}

export async function forgetFilter(
  acting: Acting,
  { accountId, userId, list }: FilterPlace,
  name: string,
): Promise<void> {
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    const gone = await tx`
      delete from saved_filters
      where account_id = ${accountId} and user_id = ${userId} and list = ${list}
        and name = ${name} returning 1`;
    if (gone.length === 0) return;
    const data = { account_id: accountId, list };
    await noteUser(tx, acting, { eventId, userId, type: 'user.filter_forgotten', data });
  });
}
