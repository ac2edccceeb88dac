import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/index.ts';
import { migrationsDirectory } from '../../database.ts';
import { createClocks, wallClock } from '../../platform/clocks.ts';
import { environmentOf } from '../../platform/environment.ts';
import { wholeDistribution } from '../../platform/postgres/distributed/look.ts';
import { forgetful } from '../../platform/postgres/durability.ts';
import { mustBeSame } from '../../platform/postgres/identity.ts';
import { pending } from '../../platform/postgres/migrate.ts';
import { standingOf } from '../../platform/postgres/roles.ts';
import { databaseClock } from '../../platform/postgres/server-clock.ts';
import { type Strange, strangeSettings } from '../../platform/postgres/settings.ts';
import { mustTakeWrites } from '../../platform/postgres/writable.ts';
import { budgetOf } from '../../platform/processes/budget.ts';
import { lookAtReplica, markPrimary } from '../../platform/replica/marks.ts';
import { broken, type Check, type Checked, type Finding, look, messageOf, ok } from './finding.ts';

const mostSecondsApart = 5;

/** Checks that the database answers and takes writes. */
export async function whether({ config, database: { sql } }: Checked): Promise<Finding> {
  await mustTakeWrites(sql);
  return ok(config.DATABASE_URL ? 'answers' : 'the embedded server answers');
}

async function lookAtEncoding({ database: { sql } }: Checked): Promise<Finding | null> {
  const [row] = await sql<{ encoding: string }[]>`
    select current_setting('server_encoding') as encoding`;
  if (row?.encoding === 'UTF8') return null;
  return broken(
    `the database has the encoding ${row?.encoding}, which rejects most names and texts`,
    "Create it again with `encoding 'UTF8' template template0`, and move the data with pg_dump.",
  );
}

async function lookAtRoles({ database: { sql, lookAtOwner } }: Checked): Promise<Finding> {
  const { role, owns } = await standingOf(sql);
  await lookAtOwner();
  return owns
    ? look(
        `${role} serves and owns the tables, so it can rewrite history`,
        'Set DATABASE_OWNER_URL to another role (docs/how-to/use-your-own-postgresql.md).',
      )
    : ok(`${role} serves and does not own the tables`);
}

async function lookAtDurability({ database: { sql } }: Checked): Promise<Finding> {
  const forgets = await forgetful(sql);
  return forgets === null
    ? ok('commits survive a crash of the server')
    : look(forgets, 'Turn it on, on each server of the database.');
}

const settingText = ({ name, value, wanted }: Strange): string =>
  `${name} = ${value}, not ${wanted}`;

async function lookAtSettings({ config, database: { sql } }: Checked): Promise<Finding> {
  const strange = await strangeSettings(sql);
  if (strange.length === 0) return ok('the service’s sessions have the settings that they expect');
  const where = config.DATABASE_URL ? 'of the role, the database or the server' : 'of the server';
  return look(
    strange.map(settingText).join('; '),
    `Reset it among the settings ${where}: calls or the upkeep of tables fail under it.`,
  );
}

async function lookAtMigrations({ database: { sql } }: Checked): Promise<Finding> {
  const missing = await pending(sql, migrationsDirectory());
  return missing.length === 0
    ? ok('the schema matches this release')
    : broken(`${missing.length} migrations are missing`, 'Run `recaudo migrate`.');
}

async function lookAtClock({ database: { sql } }: Checked): Promise<Finding> {
  const { epochMilliseconds } = await databaseClock(sql);
  const apart = Math.round(Math.abs(epochMilliseconds - wallClock.nowMs()) / 1000);
  const text = `this machine and the database are ${apart} s apart`;
  return apart <= mostSecondsApart
    ? ok(text)
    : look(text, 'Synchronize both with NTP: webhooks and links depend on this clock.');
}

async function lookAtNodes({ database: { sql } }: Checked): Promise<Finding | null> {
  const distribution = await wholeDistribution(sql);
  if (distribution === null) return null;
  const away = await sql<{ node: string }[]>`
    select format('%s:%s', nodename, nodeport) as node from run_command_on_workers('select 1')
    where not success order by 1`;
  const text = `distributed over ${distribution.nodes} nodes`;
  if (away.length === 0) return ok(text);
  const names = away.map(({ node }) => node).join(', ');
  return broken(
    `${text}; ${names} is unreachable`,
    'Start the node: calls of its accounts get 503.',
  );
}

/** Returns the number of connections of one process: its pool, and one that listens. */
const connectionsEach = ({ DATABASE_POOL }: Config): number => DATABASE_POOL + 1;

async function lookAtConnections({ config, database: { sql } }: Checked): Promise<Finding> {
  const { PROCESSES, DATABASE_POOL: pool, DATABASE_DIRECT_URL: direct } = config;
  const processes = PROCESSES === 'auto' ? 1 : PROCESSES;
  const requested = { processes, pool, asManyAsFit: PROCESSES === 'auto', pooled: direct !== null };
  const todo = 'Lower DATABASE_POOL or PROCESSES, or let the role open more connections.';
  let fits: number;
  try {
    fits = (await budgetOf(sql, requested)).pool;
  } catch (error) {
    return broken(messageOf(error), todo);
  }
  const each = connectionsEach(config);
  if (fits >= pool) return ok(`room for ${each} connections of a process, also while it restarts`);
  const text = `a process opens ${each} connections, but the database has room for ${fits + 1}`;
  return look(`${text} of each, during a restart`, todo);
}

/** Checks of the server, with or without this release's tables. */
export const serverChecks: readonly Check<Checked>[] = [
  { what: 'encoding', todo: 'Check DATABASE_URL.', look: lookAtEncoding },
  {
    what: 'roles',
    todo: 'Check the roles in docs/how-to/use-your-own-postgresql.md.',
    look: lookAtRoles,
  },
  {
    what: 'durability',
    todo: 'Read docs/how-to/use-your-own-postgresql.md.',
    look: lookAtDurability,
  },
  { what: 'settings', todo: 'Read docs/how-to/use-your-own-postgresql.md.', look: lookAtSettings },
  { what: 'migrations', todo: 'Run `recaudo migrate`.', look: lookAtMigrations },
  { what: 'clock', todo: 'Check the clock of this machine.', look: lookAtClock },
  {
    what: 'nodes',
    todo: 'Read docs/explanation/scaling.md, Distributed by account.',
    look: lookAtNodes,
  },
  {
    what: 'connections',
    todo: 'Check DATABASE_POOL and PROCESSES.',
    look: lookAtConnections,
  },
];

/**
 * Checks DATABASE_DIRECT_URL. A wrong one does not stop the service, but notifications fail to
 * arrive.
 */
async function lookAtDirect({
  config,
  database: { sql, direct },
}: Checked): Promise<Finding | null> {
  if (config.DATABASE_DIRECT_URL === null) return null;
  const todo =
    'Check DATABASE_DIRECT_URL. Without it, revoked keys and clock moves take up to 5 seconds.';
  try {
    await mustBeSame(sql, direct, 'DATABASE_DIRECT_URL');
    return ok('DATABASE_DIRECT_URL reaches the same database');
  } catch (error) {
    return look(messageOf(error), todo);
  }
}

/** Maximum number of reads of the replica's mark, a tenth of a second apart. */
const looksAtReplica = 30;

/** Marks the primary, and waits up to three seconds until the replica has the mark. */
async function lookAtTheReplica({ database: { sql, replica } }: Checked): Promise<Finding | null> {
  if (!replica) return null;
  const { born, no } = await markPrimary(sql);
  let state = await lookAtReplica(replica.looks);
  for (let looks = 1; looks < looksAtReplica && state.no < no && state.born === born; looks += 1) {
    await sleep(100);
    state = await lookAtReplica(replica.looks);
  }
  const todo = 'Read docs/explanation/scaling.md. Reads go to the primary meanwhile.';
  if (!state.standby) return look('not a standby: it was promoted, or is the primary itself', todo);
  if (state.born !== born) return look('a standby of another database', todo);
  return state.no >= no
    ? ok('a standby that is up to date')
    : look('a standby that lags for seconds', todo);
}

/** A start refuses a database of another environment. */
async function lookAtEnvironment({ config, database: { sql } }: Checked): Promise<Finding | null> {
  const recorded = await environmentOf(sql);
  if (recorded === null) return null;
  if (recorded !== config.ENVIRONMENT) {
    return broken(
      `the database belongs to ${recorded}, but ENVIRONMENT is ${config.ENVIRONMENT}`,
      'Correct ENVIRONMENT, or use another database: nothing starts on this one.',
    );
  }
  const { business, wall } = await createClocks(sql);
  const isAhead = business.nowMs() > wall.nowMs();
  if (recorded === 'sandbox' || !isAhead) return ok(`the database belongs to ${recorded}`);
  return broken(
    'the clock of this database is ahead of time, because it was a sandbox',
    'Move to a new database (docs/how-to/go-live.md): money is released before its day.',
  );
}

/** Checks of this release's tables, some through further addresses. */
export const schemaChecks: readonly Check<Checked>[] = [
  { what: 'environment', todo: 'Check ENVIRONMENT.', look: lookAtEnvironment },
  { what: 'notifications', todo: 'Check DATABASE_DIRECT_URL.', look: lookAtDirect },
  {
    what: 'replica',
    todo: 'Check DATABASE_READ_URL: reads go to the primary.',
    look: lookAtTheReplica,
  },
];
