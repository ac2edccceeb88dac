import type { Queryable } from '../../platform/postgres/connect.ts';
import { lineColumns, type RailLine } from './store.ts';

/** Returns the lines of a file that some codes rejected. */
export const readRejected = (
  sql: Queryable,
  fileId: number,
  codes: readonly string[],
): Promise<RailLine[]> => sql<RailLine[]>`
  select ${lineColumns(sql)} from rail_lines
  where file_id = ${fileId} and outcome = 'rejected' and reject_code = any(${[...codes]}::text[])
  order by line`;

interface MoneyOfCode extends Pick<RailLine, 'file_id' | 'code' | 'amount' | 'paid_at'> {
  informed_at: Temporal.Instant;
}

/**
 * Returns the first decided line without a request that money of its code may be of: of the same
 * day, and of its amount if there is one. Returns null for money of before the file.
 */
export async function firstOfMoney(
  sql: Queryable,
  { file_id, code, amount, paid_at, informed_at }: MoneyOfCode,
): Promise<number | null> {
  const [first] = await sql<{ line: number | null }[]>`
    select coalesce(min(l.line) filter (where l.amount = ${amount}), min(l.line)) as line
    from rail_lines l join rail_files f on f.id = l.file_id
    where l.file_id = ${file_id} and l.code = ${code} and l.outcome = 'suspense'
      and l.request_id is null and l.paid_at = ${paid_at}::timestamptz
      and f.created_at <= ${informed_at}::timestamptz`;
  return first?.line ?? null;
}
