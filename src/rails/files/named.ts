import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import type { DebitRemark } from '../debits/debit.ts';
import type { Remark } from '../payments/match.ts';
import { fileColumns, lineColumns, type RailFile, type RailLine } from './store.ts';

/** Returns lines by file and number, each with its file. Skips unknown ones. */
export async function readFileLines(
  sql: Queryable,
  places: readonly { fileId: number; line: number }[],
): Promise<{ file: RailFile; line: RailLine }[]> {
  if (places.length === 0) return [];
  const lines = await sql<RailLine[]>`
    select l.* from ${recordset(sql, 'place (file_id bigint, line int)', places)}
    cross join lateral (
      select ${lineColumns(sql)} from rail_lines
      where rail_lines.file_id = place.file_id and rail_lines.line = place.line
    ) as l`;
  const files = await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files
    where id = any(${[...new Set(lines.map((one) => one.file_id))]}::bigint[])`;
  const byId = new Map(files.map((file) => [file.id, file]));
  return lines.flatMap((line) => {
    const file = byId.get(line.file_id);
    return file ? [{ file, line }] : [];
  });
}

/** Returns files, ordered by id. Skips unknown ids. */
export async function readFiles(sql: Queryable, ids: readonly number[]): Promise<RailFile[]> {
  return await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files where id = any(${[...ids]}::bigint[]) order by id`;
}

/** Maximum number of files, and of lines in each, to search for a request. */
const filesLookedAt = 3;
const linesLookedAt = 20_000;

/** Finds lines about a request in a rail's latest files up to an instant. */
export async function linesAbout(
  sql: Queryable,
  { rail, until, requestId }: { rail: string; until: Temporal.Instant; requestId: number },
): Promise<{ file: RailFile; line: RailLine }[]> {
  const lines = await sql<{ file_id: number; line: number }[]>`
    select f.id as file_id, l.line from (
      select id from rail_files
      where rail = ${rail} and direction = 'in' and created_at <= ${until}::timestamptz
      order by id desc limit ${filesLookedAt}
    ) as f
    cross join lateral (
      select line from (
        select line, request_id from rail_lines where file_id = f.id
        order by line limit ${linesLookedAt}
      ) as seen where request_id = ${requestId}::bigint
    ) as l`;
  return await readFileLines(
    sql,
    lines.map(({ file_id: fileId, line }) => ({ fileId, line })),
  );
}

export interface LineQuery {
  fileId: number;
  /** Null selects all remarks. */
  remark: Remark | DebitRemark | null;
  /** Number of the line after which to continue. */
  after: number;
  limit: number;
}

/** Returns a page of the file's lines that the operator should check. */
export async function readRemarkedLines(
  sql: Queryable,
  { fileId, remark, after, limit }: LineQuery,
): Promise<RailLine[]> {
  return await sql<RailLine[]>`
    select ${lineColumns(sql)} from rail_lines
    where file_id = ${fileId} and line > ${after} and remarks <> '{}'
      and (${remark}::text is null or ${remark}::text = any(remarks))
    order by line limit ${limit}`;
}
