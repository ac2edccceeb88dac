import type { AlarmKind } from '../money/channels/index.ts';
import type { Queryable } from '../platform/postgres/connect.ts';

export interface AlarmRow {
  connector: string;
  /** Empty if it concerns the whole connector. */
  channel: string;
  kind: AlarmKind;
  message: string;
  times: number;
  first_at: Temporal.Instant;
  last_at: Temporal.Instant;
  off_until: Temporal.Instant | null;
}

export interface Alarm {
  connector: string;
  channel: string;
  kind: AlarmKind;
  message: string;
  at: Temporal.Instant;
  offUntil: Temporal.Instant | null;
}

/** Counts an alarm and stores its last message. */
export async function keepAlarm(sql: Queryable, alarm: Alarm): Promise<void> {
  await sql`
    insert into connector_alarms as a (connector, channel, kind, message, first_at, last_at,
      off_until)
    values (${alarm.connector}, ${alarm.channel}, ${alarm.kind}, ${alarm.message},
      ${alarm.at}::timestamptz, ${alarm.at}::timestamptz, ${alarm.offUntil}::timestamptz)
    on conflict (connector, channel, kind) do update set message = excluded.message,
      times = a.times + 1, last_at = greatest(a.last_at, excluded.last_at),
      off_until = greatest(a.off_until, excluded.off_until)`;
}

/** Returns open alarms, latest last. */
export const readAlarms = (sql: Queryable): Promise<AlarmRow[]> =>
  sql<AlarmRow[]>`
    select connector, channel, kind, message, times, first_at, last_at, off_until
    from connector_alarms order by last_at, connector, channel, kind`;

/** Deletes a connector's alarms, which switches its channels on again. Returns their number. */
export async function forgetAlarms(sql: Queryable, connector: string): Promise<number> {
  const rows = await sql`
    delete from connector_alarms where connector = ${connector} returning kind`;
  return rows.length;
}

/** Returns the channels that are switched off now, by connector. */
export const readOff = (
  sql: Queryable,
  now: Temporal.Instant,
): Promise<{ connector: string; channel: string; off_until: Temporal.Instant }[]> =>
  sql`
    select connector, channel, max(off_until) as off_until from connector_alarms
    where off_until > ${now}::timestamptz group by connector, channel`;

/**
 * Remembers a connector's call up to the time `until`. Returns false if any process has seen the
 * call. Also deletes some expired calls. Times are Unix seconds.
 */
export async function hearCall(
  sql: Queryable,
  { connector, id, until, now }: { connector: string; id: string; until: number; now: number },
): Promise<boolean> {
  const rows = await sql`
    with forgotten as (
      delete from connector_calls where (connector, id) in (
        select connector, id from connector_calls where until < ${now} limit 100
        for update skip locked)
    )
    insert into connector_calls (connector, id, until) values (${connector}, ${id}, ${until})
    on conflict do nothing returning id`;
  return rows.length === 1;
}
