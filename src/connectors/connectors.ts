import type { OfferedChannel } from '../../connectors/protocol/messages.ts';
import { connectorAccounts, readConnectorSettings } from '../accounts/index.ts';
import type { AlarmKind, ChannelCode, Channels, ChannelWish } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type Connector, offMinutes, openConnector } from './connector.ts';
import type { RaiseAlarm } from './manifest.ts';
import { type ConnectorSettings, configuredChannels } from './settings.ts';
import { keepAlarm, readOff } from './store.ts';

export interface Connectors {
  channels: Channels;
  /** In order of preference. */
  all: readonly Connector[];
  /** Returns the preferred connector for new charges on a channel, or null if there is none now. */
  offering(code: ChannelCode, wish?: ChannelWish): Offering | null;
  /** Fetches every manifest. Throws if one lacks a configured channel or brand. */
  start(): Promise<void>;
  /** Reports a fault of a connector as a whole. */
  alarm(connector: string, kind: AlarmKind, text: string): void;
  /** Fetches the manifests again, and reads which channels other processes switched off. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface Offering {
  connector: Connector;
  offered: OfferedChannel;
}

/** The deployment's configuration does not match its connectors. */
export class ConnectorFault extends Error {}

const placeOf = (connector: string, channel: string): string => `${connector} ${channel}`;

/** Returns the configured brands that the connector's manifest offers on no card channel. */
function brandsMissing({ settings, manifest }: Connector): string[] {
  const cards = (manifest()?.channels ?? []).filter(
    ({ channel }) =>
      (channel === 'credit_card' || channel === 'debit_card') &&
      settings.channels.includes(channel),
  );
  return (settings.brands ?? [])
    .filter((brand) => !cards.some(({ brands }) => !brands || brands.includes(brand)))
    .map((brand) => `cards of ${brand}`);
}

const tellMissing =
  ({ settings }: Connector) =>
  (what: string): string =>
    `CONNECTORS: the manifest of ${settings.name} does not offer ${what}`;

interface Watchers {
  metrics?: Metrics;
  /** True to neither log nor store alarms, because the caller reports findings itself. */
  quiet?: boolean;
}

/**
 * Switches channels off, and logs and counts alarms, at once. Stores them for `connectors status`
 * and for other processes.
 */
function createAlarms({ sql, clocks, log }: Base, { metrics, quiet = false }: Watchers) {
  /** Ends of the pauses of channels, as stored. */
  let stored = new Map<string, number>();
  /** Pauses that no read of the database began after. */
  const own = new Map<string, { until: number; isStored: boolean }>();

  const raise: RaiseAlarm = ({ connector, channel, kind, text, switchOff }) => {
    const at = clocks.wall.now();
    const offUntil = switchOff && channel !== '' ? at.add({ minutes: offMinutes }) : null;
    const pause = { until: offUntil?.epochMilliseconds ?? 0, isStored: false };
    if (offUntil) own.set(placeOf(connector, channel), pause);
    if (quiet) return;
    metrics?.connectorAlarms.inc({ connector, kind });
    log.error({ connector, channel, kind, off: offUntil !== null }, `a connector: ${text}`);
    const message = text.slice(0, 500);
    keepAlarm(sql, { connector, channel, kind, message, at, offUntil }).then(
      () => {
        pause.isStored = true;
      },
      (error: unknown) =>
        log.error({ err: error, connector }, 'the alarm of a connector could not be stored'),
    );
  };

  return {
    raise,
    isOff(connector: string, channel: string): boolean {
      const place = placeOf(connector, channel);
      const until = Math.max(own.get(place)?.until ?? 0, stored.get(place) ?? 0);
      return until > clocks.wall.nowMs();
    },
    async refresh(): Promise<void> {
      const inDatabase = [...own].filter(([, pause]) => pause.isStored);
      const rows = await readOff(sql, clocks.wall.now());
      for (const [place, pause] of inDatabase) {
        if (own.get(place) === pause) own.delete(place);
      }
      stored = new Map(
        rows.map((row) => [placeOf(row.connector, row.channel), row.off_until.epochMilliseconds]),
      );
    },
  };
}

/** Opens the configured connectors without calling them. */
export function openConnectors(
  base: Base,
  settings: readonly ConnectorSettings[],
  watchers: Watchers = {},
): Connectors {
  const alarms = createAlarms(base, watchers);
  const all = settings
    .toSorted((one, other) => one.preference - other.preference)
    .map((one) =>
      openConnector(one, {
        base,
        raise: alarms.raise,
        isOff: alarms.isOff,
        settingsOf: (accountId, connector) => readConnectorSettings(base.sql, accountId, connector),
        accountsOf: (connector) => connectorAccounts(base.sql, connector),
        count: (connector, call, outcome) =>
          watchers.metrics?.connectorCalls.inc({ connector, call, outcome }),
      }),
    );

  const offering = (
    code: ChannelCode,
    { brand = null, name, keeps = false, opens = false }: ChannelWish = {},
  ): Offering | null => {
    for (const connector of all) {
      if (name !== undefined && name !== connector.settings.name) continue;
      const offered = connector.offered(code, brand);
      const fits =
        (!keeps || offered?.keeps_cards === true) && (!opens || offered?.opens_accounts === true);
      if (offered && fits) return { connector, offered };
    }
    return null;
  };

  const hearAll = () =>
    Promise.all(all.map(async (connector) => ({ connector, news: await connector.refresh() })));

  return {
    all,
    offering,
    channels: {
      ...configuredChannels(settings),
      choose: (code, wish) => offering(code, wish)?.connector.channel ?? null,
      opens: (code) =>
        all.some(
          ({ settings: { channels }, manifest }) =>
            channels.some((one) => one === code) &&
            manifest()?.channels.some(
              (one) => one.channel === code && one.opens_accounts === true,
            ) === true,
        ),
      named: (name) => all.find((one) => one.settings.name === name)?.channel ?? null,
    },
    alarm: (connector, kind, text) =>
      alarms.raise({ connector, channel: '', kind, text, switchOff: false }),
    async start() {
      await alarms.refresh();
      const faults = (await hearAll()).flatMap(({ connector, news }) =>
        news.isValid
          ? [...news.missing, ...brandsMissing(connector)].map(tellMissing(connector))
          : [],
      );
      if (faults.length > 0) throw new ConnectorFault(faults.join('; '));
    },
    async refresh() {
      await Promise.all([alarms.refresh(), hearAll()]);
    },
    close: async () => {
      await Promise.all(all.map((connector) => connector.close()));
    },
  };
}
