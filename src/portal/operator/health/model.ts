import { countOutbox } from '../../../events/index.ts';
import type { Base } from '../../../platform/base.ts';
import { type DiskRoom, leastFreeBytes } from '../../../platform/disk.ts';
import { countFailedMails, countWaitingMails } from '../../../platform/mail/outbox.ts';
import { databaseClock } from '../../../platform/postgres/server-clock.ts';
import type { ServerState } from '../../../platform/postgres/server-state.ts';
import type { SweepRun } from '../../../platform/sweep-runs.ts';
import type { SweepDue, Sweeper } from '../../../platform/sweeps.ts';
import { countDeliveries } from '../../../webhooks/index.ts';

interface KnownConnector {
  settings: { name: string; channels: readonly string[] };
  manifest(): { version: string } | null;
  lastAnswer(): { at: Temporal.Instant; fault: string | null } | null;
}

interface AlarmRow {
  connector: string;
  /** Empty if it concerns the whole connector. */
  channel: string;
  kind: string;
  message: string;
  times: number;
  last_at: Temporal.Instant;
  off_until: Temporal.Instant | null;
}

interface DiskFolder {
  folder: string;
  /** Null if the disk space cannot be read. */
  room: DiskRoom | null;
}

interface Machine {
  disk: readonly DiskFolder[];
  vault: { keyId: string; since: Temporal.Instant | null; waiting: number };
  server: ServerState;
}

export interface HealthParts {
  base: Base;
  sweeper: Pick<Sweeper, 'dues'>;
  connectors: { all: readonly KnownConnector[] };
  readMachine(): Promise<Machine>;
  readSweepRuns(): Promise<readonly SweepRun[]>;
  readAlarms(): Promise<readonly AlarmRow[]>;
  /** Returns migrations of this release that the database lacks. */
  missingMigrations(): Promise<readonly string[]>;
}

/** Limit when counting a queue. */
export const mostCounted = 1_000;

/** Tolerated difference between clocks. */
const mostSecondsApart = 5;
/** Work that has been due this long is late, since sweeps run every second. */
const behindAfterSeconds = 300;

export interface SweepHealth extends SweepDue {
  /** Null if it is on time. */
  behindSeconds: number | null;
  /** The last run. Null before the first. */
  run: SweepRun | null;
  /** True if the last run failed. */
  failing: boolean;
}

export interface Queue {
  name: 'events' | 'mails' | 'failedMails' | 'deliveries' | 'failingWebhooks';
  count: number;
  /** True if any part needs attention. */
  bad: boolean;
}

export interface ConnectorHealth {
  name: string;
  channels: readonly string[];
  version: string | null;
  lastAnswer: ReturnType<KnownConnector['lastAnswer']>;
  alarms: readonly AlarmRow[];
}

export interface Health {
  secondsApart: number;
  clockBad: boolean;
  missingMigrations: number;
  sweeps: readonly SweepHealth[];
  queues: readonly Queue[];
  connectors: readonly ConnectorHealth[];
  machine: Machine & { fullDisk: readonly string[]; crowded: boolean };
  now: Temporal.Instant;
}

const isFailing = ({ ran_at: ran, failed_at: failed }: SweepRun): boolean =>
  failed !== null && (ran === null || Temporal.Instant.compare(failed, ran) > 0);

export function sweepHealth(
  dues: readonly SweepDue[],
  now: Temporal.Instant,
  runs: readonly SweepRun[] = [],
): SweepHealth[] {
  return dues.map((one) => {
    const late = one.due === null ? 0 : one.due.until(now).total('seconds');
    const run = runs.find(({ name }) => name === one.name) ?? null;
    const behindSeconds = late > behindAfterSeconds ? Math.floor(late) : null;
    return { ...one, behindSeconds, run, failing: run !== null && isFailing(run) };
  });
}

/** Warns if fewer connections than this share are free. */
const leastFreeShare = 0.1;

const machineHealth = (machine: Machine): Health['machine'] => ({
  ...machine,
  fullDisk: machine.disk.flatMap(({ folder, room }) =>
    room === null || room.free < leastFreeBytes ? [folder] : [],
  ),
  crowded: machine.server.connections > machine.server.most * (1 - leastFreeShare),
});

async function readQueues({ base: { sql } }: HealthParts): Promise<Queue[]> {
  const most = mostCounted + 1;
  const [events, waiting, failed, deliveries] = await Promise.all([
    countOutbox(sql, most),
    countWaitingMails(sql, most),
    countFailedMails(sql, most),
    countDeliveries(sql, most),
  ]);
  return [
    { name: 'events', count: events, bad: events > mostCounted },
    { name: 'deliveries', count: deliveries.waiting, bad: false },
    { name: 'failingWebhooks', count: deliveries.failing, bad: deliveries.failing > 0 },
    { name: 'mails', count: waiting, bad: false },
    { name: 'failedMails', count: failed, bad: failed > 0 },
  ];
}

export async function readHealth(parts: HealthParts): Promise<Health> {
  const { sql, clocks } = parts.base;
  const now = clocks.business.now();
  const [database, missing, dues, runs, queues, alarms, machine] = await Promise.all([
    databaseClock(sql),
    parts.missingMigrations(),
    parts.sweeper.dues(),
    parts.readSweepRuns(),
    readQueues(parts),
    parts.readAlarms(),
    parts.readMachine(),
  ]);
  const apart = Math.round(Math.abs(database.until(clocks.wall.now()).total('seconds')));
  return {
    now,
    secondsApart: apart,
    clockBad: apart > mostSecondsApart,
    missingMigrations: missing.length,
    sweeps: sweepHealth(dues, now, runs),
    machine: machineHealth(machine),
    queues,
    connectors: parts.connectors.all.map(({ settings, manifest, lastAnswer }) => ({
      name: settings.name,
      channels: settings.channels,
      version: manifest()?.version ?? null,
      lastAnswer: lastAnswer(),
      alarms: alarms.filter(({ connector }) => connector === settings.name),
    })),
  };
}
