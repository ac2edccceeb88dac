import type { Base } from '../platform/base.ts';
import type { Connectors } from './connectors.ts';
import { type AlarmRow, readAlarms } from './store.ts';

export interface ChannelStatus {
  connector: string;
  channel: string;
  /**
   * `on`: accepts new charges. `off`: accepts none for a while. `fault`: its manifest is
   * unavailable or faulty, or lacks the channel.
   */
  state: 'on' | 'off' | 'fault';
  version: string | null;
  preference: number;
  alarms: number;
  why: string | null;
  [column: string]: string | number | null;
}

const lastOf = (alarms: readonly AlarmRow[], name: string, channel: string) =>
  alarms.findLast((one) => one.connector === name && (!one.channel || one.channel === channel));

/** Fetches each connector's manifest now, and returns the state of its channels. */
export async function statusOf(
  { sql, clocks }: Base,
  { all }: Connectors,
): Promise<ChannelStatus[]> {
  const alarms = await readAlarms(sql);
  const wall = clocks.wall.now();
  const refreshed = await Promise.all(
    all.map(async (connector) => ({ connector, news: await connector.refresh() })),
  );
  return refreshed.flatMap(({ connector: { settings, manifest }, news }) =>
    settings.channels.map((channel): ChannelStatus => {
      const off = alarms.find(
        (one) =>
          one.connector === settings.name &&
          one.channel === channel &&
          one.off_until !== null &&
          Temporal.Instant.compare(one.off_until, wall) > 0,
      );
      const fault = news.isValid
        ? news.missing.includes(channel)
          ? 'its manifest does not offer it'
          : null
        : news.fault;
      const last = lastOf(alarms, settings.name, channel);
      return {
        connector: settings.name,
        channel,
        state: fault !== null ? 'fault' : off ? 'off' : 'on',
        version: manifest()?.version ?? null,
        preference: settings.preference,
        alarms: alarms
          .filter((one) => one.connector === settings.name)
          .reduce((sum, { times }) => sum + times, 0),
        why: fault ?? off?.message ?? last?.message ?? null,
      };
    }),
  );
}
