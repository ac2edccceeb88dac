import { Gauge, type Registry } from 'prom-client';
import { countOutbox } from '../events/index.ts';
import { countMoneyAlarms, moneyAlarmKinds } from '../money/alarms/index.ts';
import type { Base } from '../platform/base.ts';
import { countFailedMails, countRetriedMails, countWaitingMails } from '../platform/mail/outbox.ts';
import { auditRun, backupRuns, readSweepRuns, type SweepRun } from '../platform/sweep-runs.ts';
import { oldestUnsealed, oldestUnsent } from '../seals/index.ts';
import { version } from '../version.ts';
import { countDeliveries, oldestDelivery } from '../webhooks/index.ts';
import { type MeasuredConfig, measureMachine } from './measures-machine.ts';
import { createReader, type MeasureParts, shared } from './measures-reader.ts';
import { measureWaiting } from './measures-waiting.ts';

/** A connector, with the outcome of its last manifest request. */
interface KnownConnector {
  settings: { name: string };
  lastAnswer(): { fault: string | null } | null;
}

/** Upper bound for counting a queue. */
const most = 100_000;

const seconds = ({ epochMilliseconds }: Temporal.Instant): number => epochMilliseconds / 1000;

function measureProcess({ sql, reader }: MeasureParts, registry: Registry): void {
  new Gauge({
    name: 'recaudo_build_info',
    help: 'The release that runs',
    labelNames: ['version'],
    registers: [registry],
    aggregator: 'max',
  }).set({ version }, 1);
  new Gauge({
    name: 'recaudo_database_up',
    help: '1 while the database answers this process; of processes the least',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      const look = reader(async () => await sql`select 1`);
      this.set(
        await look.then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  new Gauge({
    name: 'recaudo_database_connections',
    help: 'Connections of the pools: open, idle, at most, and calls that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { most: atMost, ...room } = sql.room();
      for (const [state, count] of Object.entries(room)) this.set({ state }, count);
      this.set({ state: 'most' }, atMost);
    },
  });
}

function measureQueues(parts: MeasureParts, registry: Registry): void {
  const { sql, clocks } = parts;
  const gauge = (
    name: string,
    help: string,
    read: (gauge: Gauge) => Promise<void>,
    labelNames?: string[],
  ) => shared(registry, parts, { name, help, ...(labelNames && { labelNames }) }, read);
  const counted = `counted up to ${most}`;
  gauge(
    'recaudo_outbox_events',
    `Events that have no place in the feed yet, ${counted}`,
    async (one) => one.set(await countOutbox(sql, most)),
  );
  gauge(
    'recaudo_webhook_deliveries_waiting',
    `Deliveries that are due or will be tried again, ${counted}`,
    async (one) => one.set((await countDeliveries(sql, most)).waiting),
  );
  gauge(
    'recaudo_webhooks_failing',
    'Webhooks that are paused because their receivers fail',
    async (one) => one.set((await countDeliveries(sql, 1)).failing),
  );
  gauge('recaudo_webhook_oldest_seconds', 'How long the oldest delivery waits', async (one) =>
    one.set(await oldestDelivery(sql, clocks.wall.now())),
  );
  gauge(
    'recaudo_mails',
    `Mails that wait, those of them that failed before, and those given up, ${counted}`,
    async (one) => {
      one.set({ state: 'waiting' }, await countWaitingMails(sql, most));
      one.set({ state: 'retried' }, await countRetriedMails(sql, most));
      one.set({ state: 'failed' }, await countFailedMails(sql, most));
    },
    ['state'],
  );
  gauge('recaudo_unsealed_seconds', 'Age of the oldest event without a seal', async (one) => {
    const oldest = await oldestUnsealed(sql);
    const age = oldest === null ? 0 : oldest.until(clocks.business.now()).total('seconds');
    one.set(Math.max(0, age));
  });
}

/** Measures anchors that wait for their receiver, if one is configured. */
function measureAnchors(parts: MeasureParts, { ANCHORS }: MeasuredConfig, registry: Registry) {
  const { sql, clocks } = parts;
  const name = 'recaudo_anchors_unsent_seconds';
  const help = 'How long the oldest anchor has waited for its receiver';
  shared(registry, parts, { name, help }, async (gauge) => {
    const oldest = ANCHORS === null ? null : await oldestUnsent(sql);
    const age = oldest === null ? 0 : oldest.until(clocks.wall.now()).total('seconds');
    gauge.set(Math.max(0, age));
  });
}

const ofBackups = Object.entries(backupRuns);
const isNoSweep = (name: string): boolean =>
  name === auditRun || ofBackups.some(([, run]) => run === name);

/** Measures results of sweeps, audits and backups, as all processes recorded them. */
function measureRuns(parts: MeasureParts, registry: Registry): void {
  const { sql } = parts;
  const set = (gauge: Gauge, runs: SweepRun[], moment: 'ran_at' | 'failed_at') => {
    for (const run of runs) {
      const at = run[moment];
      if (at !== null) gauge.set({ sweep: run.name }, seconds(at));
    }
  };
  const sweeps = async (): Promise<SweepRun[]> =>
    (await readSweepRuns(sql)).filter(({ name }) => !isNoSweep(name));
  const labelNames = ['sweep'];
  shared(
    registry,
    parts,
    { name: 'recaudo_sweep_last_run_seconds', help: 'When a sweep last did something', labelNames },
    async (gauge) => set(gauge, await sweeps(), 'ran_at'),
  );
  shared(
    registry,
    parts,
    { name: 'recaudo_sweep_last_failure_seconds', help: 'When a sweep last failed', labelNames },
    async (gauge) => set(gauge, await sweeps(), 'failed_at'),
  );
  const audit = {
    name: 'recaudo_audit_last_seconds',
    help: 'When the last audit of all accounts added up, and when the last one found faults',
    labelNames: ['outcome'],
  };
  shared(registry, parts, audit, async (gauge) => {
    const run = (await readSweepRuns(sql)).find(({ name }) => name === auditRun);
    if (run?.ran_at) gauge.set({ outcome: 'clean' }, seconds(run.ran_at));
    if (run?.failed_at) gauge.set({ outcome: 'faults' }, seconds(run.failed_at));
  });
  const backups = {
    name: 'recaudo_backup_last_seconds',
    help: 'When a base backup, the storing of the log, or a drill of restoring last went well or failed',
    labelNames: ['what', 'outcome'],
  };
  shared(registry, parts, backups, async (gauge) => {
    const runs = await readSweepRuns(sql);
    for (const [what, name] of ofBackups) {
      const run = runs.find((one) => one.name === name);
      if (run?.ran_at) gauge.set({ what, outcome: 'done' }, seconds(run.ran_at));
      if (run?.failed_at) gauge.set({ what, outcome: 'failed' }, seconds(run.failed_at));
    }
  });
}

/** Measures each connector: 1 if its last manifest request succeeded, else 0. */
export function measureConnectors(
  connectors: { all: readonly KnownConnector[] },
  registry: Registry,
): void {
  new Gauge({
    name: 'recaudo_connector_up',
    help: '1 while a connector gives its manifest; of processes the least',
    labelNames: ['connector'],
    registers: [registry],
    aggregator: 'min',
    collect() {
      for (const { settings, lastAnswer } of connectors.all) {
        const answer = lastAnswer();
        this.set({ connector: settings.name }, answer !== null && answer.fault === null ? 1 : 0);
      }
    },
  });
}

/** Adds metrics that are read from the database and its machine at each scrape. */
export function measureState(
  { sql, log, clocks }: Pick<Base, 'sql' | 'log' | 'clocks'>,
  config: MeasuredConfig,
  registry: Registry,
): void {
  const parts = { sql, log, clocks, reader: createReader() };
  measureProcess(parts, registry);
  measureMachine(parts, config, registry);
  measureQueues(parts, registry);
  measureAnchors(parts, config, registry);
  measureWaiting(parts, registry);
  measureRuns(parts, registry);
  const alarms = {
    name: 'recaudo_money_alarms_open',
    help: 'Alarms about money that no person closed, by kind',
    labelNames: ['kind'],
  };
  shared(registry, parts, alarms, async (gauge) => {
    const open = new Map((await countMoneyAlarms(parts.sql)).map((row) => [row.kind, row.count]));
    for (const kind of moneyAlarmKinds) gauge.set({ kind }, open.get(kind) ?? 0);
  });
}
