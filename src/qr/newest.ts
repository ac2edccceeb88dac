import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import {
  findRequestsByWords,
  noFilters,
  type RequestRow,
  requestColumns,
  requestsOfKind,
  stateOn,
} from '../requests/index.ts';
import { readQrId } from './item.ts';
import { asDynamic, type QrRow, type QrState } from './row.ts';

// Lists an account's QRs, newest first. Searches by words through the index of requests, and by
// state in parts, because states have no index.

/** Cursor: the last row of a page. Searches by words use only the id. */
export interface QrPlace {
  place: number;
  id: number;
}

export interface QrQuery {
  accountId: string;
  /** Parts of words of payer, description, reference, email and id. '' matches all. */
  text: string;
  /** Today's state by the business clock. */
  state: QrState | null;
  behind: QrPlace | null;
  limit: number;
}

export interface FoundQrs {
  rows: QrRow[];
  /** Cursor of the next part, which may be empty. Null at the end. */
  next: QrPlace | null;
}

/** Newest rows scanned per page. The next page continues after them. */
const looked = 2_000;

const stateIs = (sql: Queryable, state: QrState, today: Temporal.PlainDate) => {
  if (state === 'pending') return sql`state = 'pending' and last_due >= ${today}::date`;
  if (state === 'expired') {
    return sql`(state = 'expired' or (state = 'pending' and last_due < ${today}::date))`;
  }
  return sql`state = ${state}`;
};

const named = async (sql: Queryable, { accountId, text }: QrQuery): Promise<QrRow | null> => {
  const id = readQrId(text.trim(), accountId);
  if (!id.ok) return null;
  const [row] = await sql<RequestRow[]>`
    select ${requestColumns(sql)} from ${requestsOfKind(sql, 'qr')}
    where r.account_id = ${accountId} and r.code = ${id.value}`;
  return row ? asDynamic(row) : null;
};

/** Maximum number of matches per page whose state is compared, newest first. */
const comparedByState = 500;

async function byWords(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  { accountId, text, state, behind, limit }: QrQuery,
): Promise<FoundQrs> {
  const today = clocks.business.today();
  const most = state === null ? limit : comparedByState;
  const before = behind?.id ?? null;
  const sought = { accountId, kind: 'qr', text, filters: noFilters, before, today } as const;
  const rows = await findRequestsByWords<QrRow>(sql, { ...sought, limit: most + 1 });
  const looked = rows.slice(0, most).flatMap((row) => asDynamic(row) ?? []);
  const fitting = looked.filter((row) => state === null || stateOn(row, today) === state);
  const page = fitting.slice(0, limit);
  const end = fitting.length > limit ? page.at(-1) : rows.length > most ? looked.at(-1) : undefined;
  return { rows: page, next: end ? { place: 0, id: end.id } : null };
}

type Looked = RequestRow & { place: number; fits: boolean };

/** Lists an account's dynamic QRs, without statics' transactions. */
export async function findNewestQrs(
  { sql, clocks }: Pick<Base, 'sql' | 'clocks'>,
  sought: QrQuery,
): Promise<FoundQrs> {
  const { accountId, text, state, behind, limit } = sought;
  const one = text.trim() === '' || behind !== null ? null : await named(sql, sought);
  if (one !== null) {
    const fits = state === null || stateOn(one, clocks.business.today()) === state;
    return { rows: fits ? [one] : [], next: null };
  }
  if (text.trim() !== '') return await byWords({ sql, clocks }, sought);
  const from = behind ?? { place: Number.MAX_SAFE_INTEGER, id: 0 };
  const fits = sql`details->>'static_id' is null
    and ${state === null ? sql`true` : stateIs(sql, state, clocks.business.today())}`;
  const rows = await sql<Looked[]>`
    with near as materialized (
      select r.* from ${requestsOfKind(sql, 'qr')}
      where r.account_id = ${accountId} and (r.place, r.id) < (${from.place}, ${from.id})
      order by r.place desc, r.id desc limit ${looked}
    ),
    found as (
      select near.*, true as fits from near where ${fits}
      order by place desc, id desc limit ${limit + 1}
    ),
    last as (select near.*, false as fits from near offset ${looked - 1} limit 1)
    select ${requestColumns(sql)}, r.place, r.fits from found r
    union all
    select ${requestColumns(sql)}, r.place, r.fits from last r`;
  return pageOf(rows, limit);
}

function pageOf(rows: readonly Looked[], limit: number): FoundQrs {
  const found = rows.filter(({ fits }) => fits);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : rows.find(({ fits }) => !fits);
  return {
    rows: page.flatMap((row) => asDynamic(row) ?? []),
    next: last ? { place: last.place, id: last.id } : null,
  };
}
