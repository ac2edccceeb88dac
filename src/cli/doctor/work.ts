import { setTimeout as pause } from 'node:timers/promises';
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
const mostLooks = 20;
const betweenLooksMs = 500;

/**
 * Returns what a look found if every later look finds something too. Work that is due on a past day
 * is late as soon as it exists: for example the release of a payment that a file has just reported.
 */
async function lasting(find: () => Promise<string | null>): Promise<string | null> {
  const first = await find();
  let last = first;
  for (let looks = 1; last !== null && looks < mostLooks; looks += 1) {
    await pause(betweenLooksMs);
    last = await find();
  }
  return last === null ? null : first;
}

const sweepsOf = (runs: readonly SweepRun[]): SweepRun[] => {
  const others: string[] = [auditRun, ...Object.values(backupRuns)];
  return runs.filter(({ name }) => !others.includes(name));
};

/** Checks that a worker process runs: it seals events, and its sweeps are on time and succeed. */
async function lookAtWorker({ database: { sql } }: Checked): Promise<Finding> {
  const todo = 'Start a process whose ROLES include worker, and check its log.';
  const { base, clocks } = await createBase(sql, createLog('silent', invocation().stderr));
  const minutesSince = (at: Temporal.Instant | null): number =>
    at === null ? 0 : Math.floor(at.until(clocks.business.now()).total('minutes'));
  const idle = await lasting(async () => {
    const minutes = minutesSince(await oldestUnsealed(sql));
    return minutes < latestMinutes ? null : `no scheduled work has run for ${minutes} minutes`;
  });
  if (idle !== null) return broken(idle, todo);
  const failing = sweepsOf(await readSweepRuns(sql)).find(
    (run) => failedLast(run) && run.failed_at !== null && hoursSince(run.failed_at) < 24,
  );
  if (failing !== undefined) {
    const found = `the sweep "${failing.name}" failed: ${failing.error}`;
    return look(found, 'Check the log of the worker.');
  }
  const { plainSweeps } = await import('../../composition/sweeps.ts');
  const late = await lasting(async () => {
    for (const { name, nextDue } of plainSweeps(base)) {
      const minutes = minutesSince(await nextDue());
      if (minutes >= latestMinutes)
        return `the sweep "${name}" has been due for ${minutes} minutes`;
    }
    return null;
  });
  return late === null ? ok('scheduled work is done') : broken(late, todo);
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
