import { noteOperator, writeOperatorEvent } from '../../events/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import type { DebitOutcome, DebitRemark } from '../debits/debit.ts';
import type { Remark } from '../payments/match.ts';

export interface RailFile<Summary = AnySummary> {
  id: number;
  rail: string;
  direction: 'in' | 'out';
  name: string;
  file_date: Temporal.PlainDate;
  sha256: Buffer;
  state: 'importing' | 'imported' | 'exported';
  /** Number of payments, debits or published requests. */
  lines: number;
  total: Centavos;
  applied: number;
  summary: Summary | null;
  created_at: Temporal.Instant;
}

/** Counts in the summary of every import. */
export interface AnySummary {
  suspense: number;
}

/** Result of an import: counts of lines, and sums in centavos. A line may have several remarks. */
export interface ImportSummary extends AnySummary {
  lines: number;
  total: Centavos;
  collected: number;
  collected_total: Centavos;
  late: number;
  duplicate: number;
  amount_differs: number;
  control_characters: number;
  suspense_total: Centavos;
  unreadable_code: number;
  unknown_request: number;
}

/** A line of an imported file and its outcome. Money is either on a request or in suspense. */
export interface RailLine {
  file_id: number;
  line: number;
  outcome: 'collected' | 'suspense' | DebitOutcome;
  remarks: (Remark | DebitRemark)[];
  account_id: string | null;
  request_id: number | null;
  code: string;
  amount: Centavos;
  paid_at: Temporal.Instant;
  /** Rejection code of the bank or card processor. */
  reject_code: string | null;
  note: string | null;
}

/** The actor of an import or export, and its event id, which is taken before rows are locked. */
export type Noting = Pick<Acting, 'clocks' | 'actor'> & { eventId: number };

type NewRailFile = Omit<RailFile, 'applied' | 'summary'>;

const railFile = 'rail_file';

export const fileColumns = (sql: Queryable) => sql`
  id, rail, direction, name, file_date, sha256, state, lines, total, applied, summary, created_at`;

type FileName = Pick<RailFile, 'rail' | 'direction' | 'sha256'>;

export async function findFile(sql: Queryable, name: FileName): Promise<RailFile | null> {
  const [file] = await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files
    where rail = ${name.rail} and direction = ${name.direction} and sha256 = ${name.sha256}`;
  return file ?? null;
}

/** Finds an imported or exported file by one of several digests. */
export async function findByDigest(sql: Queryable, digests: Buffer[]): Promise<RailFile | null> {
  const [file] = await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files
    where sha256 = any(${digests}::bytea[]) order by id limit 1`;
  return file ?? null;
}

const eventData = ({ rail, direction, name, file_date, lines, total }: NewRailFile) => ({
  rail,
  direction,
  name,
  file_date: file_date.toString(),
  lines,
  total,
});

/** Stores a file, with an event, unless its content is known. Returns the stored file. */
export async function keepFile(
  sql: Queryable,
  { eventId, ...acting }: Noting,
  file: NewRailFile,
): Promise<RailFile> {
  const note = {
    eventId,
    entity: railFile,
    entityId: String(file.id),
    type: file.direction === 'in' ? 'rail_file.received' : 'rail_file.exported',
    data: eventData(file),
  };
  await sql`
    with kept as (
    insert into rail_files (id, rail, direction, name, file_date, sha256, state, lines, total,
      created_at)
    values (${file.id}, ${file.rail}, ${file.direction}, ${file.name}, ${file.file_date}::date,
      ${file.sha256}, ${file.state}, ${file.lines}, ${file.total},
      ${file.created_at}::timestamptz)
    on conflict (rail, direction, sha256) do nothing returning id
    ), ${writeOperatorEvent(sql, acting, note, 'kept')}
    select 1`;
  const stored = await findFile(sql, file);
  if (!stored) throw new Error('a file that was kept is gone');
  return stored;
}

/** Returns the first incoming file of a rail and day, even if its import has not ended, or null. */
export async function findSibling(
  sql: Queryable,
  { rail, file_date }: Pick<RailFile, 'rail' | 'file_date'>,
): Promise<RailFile | null> {
  const [sibling] = await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files
    where rail = ${rail} and direction = 'in' and file_date = ${file_date}::date
    order by id limit 1`;
  return sibling ?? null;
}

/** Returns the files of a rail and day, oldest first. */
export async function findFilesOfDay(
  sql: Queryable,
  { rail, direction, date }: Pick<RailFile, 'rail' | 'direction'> & { date: Temporal.PlainDate },
): Promise<RailFile[]> {
  return await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files
    where rail = ${rail} and direction = ${direction} and file_date = ${date}::date
    order by created_at, id`;
}

export async function readFile(sql: Queryable, id: number): Promise<RailFile | null> {
  const [file] = await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files where id = ${id}`;
  return file ?? null;
}

/** Returns files before the given id, newest first. */
export async function listFiles(
  sql: Queryable,
  limit: number,
  behind = Number.MAX_SAFE_INTEGER,
): Promise<RailFile[]> {
  return await sql<RailFile[]>`
    select ${fileColumns(sql)} from rail_files where id < ${behind}::bigint
    order by id desc limit ${limit}`;
}

/** Returns the latest file date of each incoming rail. */
export async function lastFiles(
  sql: Queryable,
): Promise<{ rail: string; file_date: Temporal.PlainDate }[]> {
  return await sql<{ rail: string; file_date: Temporal.PlainDate }[]>`
    select rail, max(file_date) as file_date from rail_files where direction = 'in'
    group by rail order by rail`;
}

export const lineColumns = (sql: Queryable) => sql`
  file_id, line, outcome, remarks, account_id, request_id, code, amount, paid_at, reject_code,
  note`;

/**
 * Stores the decisions on lines that have none yet. Returns the earlier decisions on the other
 * lines, which prevail.
 */
export async function keepLines(sql: Queryable, lines: RailLine[]): Promise<RailLine[]> {
  return await sql<RailLine[]>`
    with line as (
      select * from ${recordset(
        sql,
        `line (file_id bigint, line int, outcome text, remarks text, account_id text,
          request_id bigint, code text, amount bigint, paid_at timestamptz, reject_code text,
          note text)`,
        lines.map((one) => ({ ...one, remarks: `{${one.remarks.join(',')}}` })),
      )}
    ),
    kept as (
      insert into rail_lines (file_id, line, outcome, remarks, account_id, request_id, code,
        amount, paid_at, reject_code, note)
      select file_id, line, outcome, remarks::text[], account_id, request_id, code, amount, paid_at,
        reject_code, note
      from line
      on conflict (file_id, line) do nothing
      returning line
    )
    select ${lineColumns(sql)} from rail_lines /* sees what was written */
    where file_id = ${lines[0]?.file_id ?? 0} and line = any(${lines.map((one) => one.line)}::int[])
      and line <> all(array(select line from kept))`;
}

/** Updates a line whose outcome changed when it was applied. */
export async function changeLine(
  sql: Queryable,
  { file_id, line, outcome, remarks }: Pick<RailLine, 'file_id' | 'line' | 'outcome' | 'remarks'>,
): Promise<void> {
  await sql`
    update rail_lines set outcome = ${outcome}, remarks = ${`{${remarks.join(',')}}`}::text::text[]
    where file_id = ${file_id} and line = ${line}`;
}

export async function noteApplied(sql: Queryable, id: number, applied: number): Promise<void> {
  await sql`
    update rail_files set applied = ${applied} where id = ${id} and applied < ${applied}`;
}

/** Totals the outcomes of the lines and closes the file. */
export async function closeFile(
  sql: Queryable,
  noting: Noting,
  id: number,
): Promise<ImportSummary> {
  const [summary] = await sql<ImportSummary[]>`
    select count(*) as lines, coalesce(sum(amount), 0)::bigint as total,
      count(*) filter (where outcome = 'collected') as collected,
      coalesce(sum(amount) filter (where outcome = 'collected'), 0)::bigint as collected_total,
      count(*) filter (where 'late' = any(remarks)) as late,
      count(*) filter (where 'duplicate' = any(remarks)) as duplicate,
      count(*) filter (where 'amount_differs' = any(remarks)) as amount_differs,
      count(*) filter (where 'control_characters' = any(remarks)) as control_characters,
      count(*) filter (where outcome = 'suspense') as suspense,
      coalesce(sum(amount) filter (where outcome = 'suspense'), 0)::bigint as suspense_total,
      count(*) filter (where 'unreadable_code' = any(remarks)) as unreadable_code,
      count(*) filter (where 'unknown_request' = any(remarks)) as unknown_request
    from rail_lines where file_id = ${id}`;
  if (!summary) throw new Error('an aggregate without a row');
  await markImported(sql, noting, { id, summary });
  return summary;
}

export async function markImported(
  sql: Queryable,
  { eventId, ...acting }: Noting,
  { id, summary }: { id: number; summary: AnySummary },
): Promise<void> {
  const type = 'rail_file.imported';
  const note = { eventId, entity: railFile, entityId: String(id), type, data: { ...summary } };
  await sql`
    with closed as (
      update rail_files set state = 'imported', summary = ${JSON.stringify(summary)}::text::json
      where id = ${id} returning id
    ), ${writeOperatorEvent(sql, acting, note, 'closed')}
    select 1`;
}

export const noteShredded = (
  sql: Queryable,
  { eventId, ...acting }: Noting,
  { id, name, rail }: RailFile,
): Promise<void> =>
  noteOperator(sql, acting, {
    eventId,
    entity: railFile,
    entityId: String(id),
    type: 'rail_file.shredded',
    data: { rail, name },
  });
