import type { Queryable, Sql } from './connect.ts';

/** Sequences whose values leave the service, as ids or as positions in the feed. */
export const issuedSequences = [
  'request_ids',
  'record_ids',
  'adhesion_ids',
  'card_adhesion_ids',
  'event_positions',
];

/** Values skipped in each sequence after a promotion. */
const valuesAhead = 1_000_000;

/**
 * SQL for the server's timeline, which every promotion changes. It reads the WAL position, because
 * the timeline of the last checkpoint may be older.
 */
export const timelineOf = `('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer`;

/**
 * Returns the server's timeline. The first caller on a new one skips ahead in all sequences: an
 * asynchronous standby may lack the last draws, whose values the service has issued or still holds.
 * Concurrent callers wait for it at the row.
 */
export async function settleTimeline(sql: Sql): Promise<number> {
  const [row] = await sql<{ timeline: number }[]>`
    with here as (select ${sql.unsafe(timelineOf)} as timeline),
    changed as (
      insert into id_timeline as kept (timeline) select timeline from here
      on conflict (only_row) do update set timeline = excluded.timeline
      where kept.timeline <> excluded.timeline
      returning kept.timeline
    ),
    skipped as (
      select count(nextval(s.seqrelid::regclass)) as draws
      from changed cross join pg_sequence s
        cross join generate_series(1, ${valuesAhead}::bigint / s.seqincrement)
      where s.seqrelid = any(${issuedSequences}::text[]::regclass[])
    )
    select timeline, draws from here, skipped`;
  if (row === undefined) throw new Error('the timeline is missing');
  return row.timeline;
}

/**
 * Returns false if draws in this transaction may repeat those of a former primary: call
 * `settleTimeline` first. A transaction that writes does not survive its server, so true stays true
 * until the transaction ends.
 */
export async function isTimelineSettled(tx: Queryable): Promise<boolean> {
  const [row] = await tx<{ settled: boolean }[]>`
    select timeline = ${tx.unsafe(timelineOf)} as settled from id_timeline`;
  return row?.settled ?? false;
}
