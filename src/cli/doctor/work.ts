import { createBase } from '../../composition/base.ts';
import { formatDay } from '../../kernel/dates.ts';
import { createClocks, wallClock } from '../../platform/clocks.ts';
import { createLog } from '../../platform/log.ts';
import {
  auditRun,
  backupRuns,
  failedLast,
  readSweepRuns,
  type SweepRun,
} from '../../platform/sweep-runs.ts';
import { oldestUnsealed } from '../../seals/index.ts';
import { countDeliveries } from '../../webhooks/index.ts';
import { invocation } from '../invocation.ts';
import { broken, type Check, type Checked, type Finding, look, ok } from './finding.ts';

const hoursSince = (at: Temporal.Instant): number => at.until(wallClock.now()).total('hours');

/** Fetches each connector's manifest, and reports the channels that are not on. */
async function lookAtConnectors({ config, database: { sql } }: Checked): Promise<Finding | null> {
  if (config.CONNECTORS === null || config.CONNECTORS.length === 0) return null;
  const { openConnectors, statusOf } = await import('../../connectors/http.ts');
  const { base } = await createBase(sql, createLog('silent', invocation().stderr));
  const connectors = openConnectors(base, config.CONNECTORS, { quiet: true });
  try {
    const channels = await statusOf(base, connectors);
    const wrong = channels.filter(({ state }) => state !== 'on');
    if (wrong.length === 0) return ok(`${channels.length} channels are on`);
    const texts = wrong.map(({ connector, channel, why }) => `${connector} ${channel}: ${why}`);
    return look(texts.join('; '), 'Check `recaudo connectors status` and `connectors alarms`.');
  } finally {
    await connectors.close();
  }
}

async function lookAtWebhooks({ database: { sql } }: Checked): Promise<Finding | null> {
  const { failing } = await countDeliveries(sql, 1);
  return failing === 0
    ? null
    : look(
        `${failing} webhooks are paused because their receivers fail`,
        'Check `recaudo webhooks list` for each account, and its receiver.',
      );
}

const latestMinutes = 5;

const sweepsOf = (runs: readonly SweepRun[]): SweepRun[] => {
  const others: string[] = [auditRun, ...Object.values(backupRuns)];
  return runs.filter(({ name }) => !others.includes(name));
};

/** Checks that a worker process runs, by its seals, and that its sweeps succeed. */
async function lookAtWorker({ database: { sql } }: Checked): Promise<Finding> {
  const [oldest, runs] = [await oldestUnsealed(sql), await readSweepRuns(sql)];
  const { business } = await createClocks(sql);
  const minutes = oldest === null ? 0 : oldest.until(business.now()).total('minutes');
  if (minutes > latestMinutes) {
    return broken(
      `no scheduled work has run for ${Math.floor(minutes)} minutes`,
      'Start a process whose ROLES include worker, and check its log.',
    );
  }
  const failing = sweepsOf(runs).find(
    (run) => failedLast(run) && run.failed_at !== null && hoursSince(run.failed_at) < 24,
  );
  return failing === undefined
    ? ok('scheduled work is done')
    : look(`the sweep "${failing.name}" failed: ${failing.error}`, 'Check the log of the worker.');
}

const auditHours = 36;

async function lookAtAudit({ config, database: { sql } }: Checked): Promise<Finding | null> {
  if (config.ENVIRONMENT !== 'production') return null;
  const run = (await readSweepRuns(sql)).find(({ name }) => name === auditRun);
  if (run !== undefined && failedLast(run)) {
    return broken(
      `the last audit found ${run.error}`,
      'Run `recaudo audit` (docs/how-to/audit.md).',
    );
  }
  const at = run?.ran_at ?? null;
  if (at !== null && hoursSince(at) <= auditHours) return ok(`all accounts added up at ${at}`);
  return look(
    at === null ? 'no audit of all accounts yet' : `no audit of all accounts since ${at}`,
    'Run `recaudo audit` every night (docs/how-to/operate-day-by-day.md).',
  );
}

async function lookAtOperators({ config, database: { sql } }: Checked): Promise<Finding | null> {
  if (config.ENVIRONMENT !== 'production') return null;
  const { countOperators } = await import('../../users/index.ts');
  const count = await countOperators(sql);
  if (count >= 2) return ok(`${count} operators`);
  const consequence = 'payouts and corrections above the limits need two';
  return look(
    count === 0 ? 'there is no operator' : `there is one operator: ${consequence}`,
    'Create another with `recaudo users create … --role operator`.',
  );
}

/** Warns about networks and banks whose files are overdue. */
async function lookAtFiles({ database: { sql } }: Checked): Promise<Finding> {
  const { lateFiles } = await import('../../rails/index.ts');
  const { business } = await createClocks(sql);
  const late = await lateFiles(sql, business.today());
  if (late.length === 0) return ok('no overdue files');
  const names = late.map(({ rail, file_date }) => `${rail} since ${formatDay(file_date)}`);
  return look(
    `no file has arrived from ${names.join(', ')}`,
    'Ask the network, or import it with `recaudo rails import`.',
  );
}

export const workChecks: readonly Check<Checked>[] = [
  { what: 'connectors', todo: 'Check CONNECTORS.', look: lookAtConnectors },
  { what: 'webhooks', todo: 'Check `recaudo webhooks list`.', look: lookAtWebhooks },
  { what: 'worker', todo: 'Check the log of the worker.', look: lookAtWorker },
  { what: 'audit', todo: 'Read docs/how-to/audit.md.', look: lookAtAudit },
  { what: 'operators', todo: 'Check `recaudo users list`.', look: lookAtOperators },
  { what: 'files', todo: 'Check `recaudo rails list`.', look: lookAtFiles },
];
