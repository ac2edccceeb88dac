import { operatorBooks } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { outboundRails } from '../payments/formats.ts';

/**
 * Lines of imported files whose money is not booked. Release 1.0 named money with a foreign
 * reference by the reference alone, so one sum in suspense accounts for one such line of all files,
 * and the others were lost.
 */
const lostLines = (sql: Queryable) => sql`(
  select id, rail, line, outcome, request_id from (
    select f.id, f.rail, l.line, l.outcome, l.request_id, m.id as money,
      row_number() over (partition by m.id
        order by (m.amount = l.amount and m.paid_at = l.paid_at) desc, f.created_at, f.id, l.line)
        as place
    from rail_files f
    join rail_lines l on l.file_id = f.id
    left join results r on l.outcome = 'collected' and r.account_id = l.account_id
      and r.source = 'rail ' || f.rail and r.source_ref = l.file_id || ':' || l.line
      and r.request_id = l.request_id and r.type = 'collected' and r.amount = l.amount
    left join suspense s on l.outcome = 'suspense' and s.account_id = ${operatorBooks}
      and s.source = 'rail ' || f.rail
      and s.source_ref = l.file_id || ':' || l.line
      and (s.amount = l.amount or s.channel in ('direct_debit', 'card_debit'))
    left join suspense m on l.outcome = 'suspense' and m.account_id = ${operatorBooks}
      and m.source = 'money of a debit run'
      and m.source_ref = ltrim(left(l.code, -1), '0') || '/' || right(l.code, 1)
    left join results d on l.outcome = 'paid' and d.account_id = l.account_id
      and d.source = 'debit run' and d.source_ref = l.request_id || '/' || right(l.code, 1)
      and d.request_id = l.request_id and d.type = 'collected'
    where f.state = 'imported' and l.outcome in ('collected', 'suspense', 'paid')
      and r.id is null and s.id is null and d.id is null
      and (m.id is null or l.request_id is null)
  ) as one
  where money is null or place > 1
) as lost`;

/** Returns the lines of a file whose foreign money is not booked. */
export async function findLostLines(sql: Queryable, fileId: number): Promise<number[]> {
  // Only files of release 1.0 have lines without money of their own. The rest reads all files.
  const [old] = await sql`
    select from rail_files f
    join rail_lines l on l.file_id = f.id and l.outcome = 'suspense' and l.request_id is null
    left join suspense s on s.account_id = ${operatorBooks} and s.source = 'rail ' || f.rail
      and s.source_ref = l.file_id || ':' || l.line
    where f.id = ${fileId} and s.id is null limit 1`;
  if (!old) return [];
  const rows = await sql<{ line: number }[]>`
    select line from ${lostLines(sql)}
    where id = ${fileId} and outcome = 'suspense' and request_id is null`;
  return rows.map(({ line }) => line);
}

/**
 * Returns the mismatches between imported files and the books, as sentences. Each payment line must
 * be recorded once, as a collection or in suspense. The amounts must be equal, except for debits,
 * because their lines state both the debited and the ordered amount. Files contain payments of many
 * accounts, so the audit of the operator's books covers them.
 */
export async function auditFiles(sql: Queryable, accountId: string): Promise<string[]> {
  if (accountId !== operatorBooks) return [];
  const lost = await sql<{ id: number; rail: string; lines: number }[]>`
    select id, rail, count(*) as lines from ${lostLines(sql)} group by id, rail order by id`;
  const short = await sql<{ id: number; rail: string }[]>`
    select f.id, f.rail
    from rail_files f
    left join lateral (
      select count(*) as lines, coalesce(sum(amount), 0) as total
      from rail_lines l where l.file_id = f.id
    ) as kept on true
    where f.state = 'imported' and (kept.lines <> f.lines or kept.total <> f.total)
    order by f.id`;
  return [
    ...(await filesThatWent(sql)),
    ...lost.map(({ id, rail, lines }) => `file ${id} of ${rail}: ${lines} lines are not booked`),
    ...short.map(({ id, rail }) => `file ${id} of ${rail}: its lines differ in number or sum`),
  ];
}

const publications = outboundRails.map(({ name }) => name);

/**
 * Checks that the runs in each exported file still add up to its total, because a run that lost its
 * file would be sent again.
 */
async function filesThatWent(sql: Queryable): Promise<string[]> {
  const files = await sql<{ id: number; rail: string; total: number }[]>`
    select id, rail, total from rail_files
    where direction = 'out' and rail <> all(${publications})`;
  const runs = await sql<{ id: number; total: number }[]>`
    select file_id as id, sum(amount)::bigint as total from debit_runs
    where file_id is not null group by file_id`;
  const carried = new Map(runs.map(({ id, total }) => [id, total]));
  const known = new Set(files.map(({ id }) => id));
  return [
    ...files
      .filter(({ id, total }) => (carried.get(id) ?? 0) !== total)
      .map(({ id, rail }) => `file ${id} of ${rail}: its debits differ from its total`),
    ...runs
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `debits name file ${id}, which does not exist`),
  ];
}
