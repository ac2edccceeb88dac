// Longer than 300 lines: every check with its finding and remedy.
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { mistakenAlarms } from '../audit/index.ts';
import { createBase } from '../composition/base.ts';
import { auditSealKeys, configuredVault, keysStillNeeded } from '../composition/keys.ts';
import { waitingForRewrap } from '../composition/machine.ts';
import { nothingOffered, offerFor } from '../composition/offer.ts';
import { type Config, readConfig } from '../config.ts';
import { type Database, migrationsDirectory, openDatabase } from '../database.ts';
import { formatDay } from '../kernel/dates.ts';
import { offeredChannels } from '../money/channels/index.ts';
import { createClocks, wallClock } from '../platform/clocks.ts';
import { diskRoom, leastFreeBytes } from '../platform/disk.ts';
import { createLog } from '../platform/log.ts';
import { countFailedMails, countRetriedMails } from '../platform/mail/outbox.ts';
import { reachMailServer } from '../platform/mail/transport.ts';
import { doing } from '../platform/postgres/deadlines.ts';
import { wholeDistribution } from '../platform/postgres/distributed/look.ts';
import { forgetful } from '../platform/postgres/durability.ts';
import { mustBeSame } from '../platform/postgres/identity.ts';
import { pending } from '../platform/postgres/migrate.ts';
import { standingOf } from '../platform/postgres/roles.ts';
import { databaseClock } from '../platform/postgres/server-clock.ts';
import { mustTakeWrites } from '../platform/postgres/writable.ts';
import { lookAtReplica, markPrimary } from '../platform/replica/marks.ts';
import { createKeyRing, keyPurposes } from '../secrets/index.ts';
import { lookAtBackups } from './doctor-backup.ts';
import { lookAtCertificate, lookAtPooler } from './doctor-connection.ts';
import { lookAtProvider } from './doctor-provider.ts';
import { exits } from './failure.ts';
import { broken, type Finding, look, ok } from './finding.ts';
import { exitWith, invocation } from './invocation.ts';
import { printRows } from './print.ts';

/** Silent, because the findings are the output. */
const silentLog = () => createLog('silent', invocation().stderr);

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');

/** Reports a check that throws as a failure, with its error. */
async function attempt(todo: string, make: () => Promise<Finding>): Promise<Finding> {
  try {
    return await make();
  } catch (error) {
    return broken(messageOf(error), todo);
  }
}

function lookAtChannels(config: Config): Finding {
  const offer = offerFor(config);
  return nothingOffered(offer) === null
    ? ok(offeredChannels(offer).join(', '))
    : look(
        'none is configured: every payment request is refused',
        'Set CONNECTORS or the identifiers of networks (docs/reference/configuration.md, Channels).',
      );
}

const oneServer = 'one server';
const mostSecondsApart = 5;
const leastFreeToWork = 64 * 1024 ** 2;
async function lookAtDisk(config: Config): Promise<Finding> {
  await stat(config.DATA_DIR);
  await access(config.DATA_DIR, constants.W_OK);
  const { free } = await diskRoom(config.DATA_DIR);
  const text = `${Math.floor(free / 1024 ** 2)} MiB free in ${path.resolve(config.DATA_DIR)}`;
  if (free < leastFreeToWork) return broken(text, 'Make room: nothing can be stored any more.');
  return free < leastFreeBytes ? look(text, 'Make room before it is full.') : ok(text);
}

async function lookAtRoles({ sql, lookAtOwner }: Database): Promise<Finding> {
  const { role, owns } = await standingOf(sql);
  await lookAtOwner();
  return owns
    ? look(
        `${role} serves and owns the tables: it could change history`,
        'Give DATABASE_OWNER_URL a role of its own (docs/how-to/use-your-own-postgresql.md).',
      )
    : ok(`${role} serves and does not own the tables`);
}

async function lookAtDurability({ sql }: Database): Promise<Finding> {
  const forgets = await forgetful(sql);
  return forgets === null
    ? ok('what was answered outlives a crash of the server')
    : look(forgets, 'Switch it on, on each server of the database.');
}

async function lookAtMigrations({ sql }: Database): Promise<Finding> {
  const missing = await pending(sql, migrationsDirectory());
  return missing.length === 0
    ? ok('the schema is that of this release')
    : broken(`${missing.length} migrations are missing`, 'Run `recaudo migrate`.');
}

/**
 * Checks DATABASE_DIRECT_URL. A wrong one does not stop the service, but notifications fail to
 * arrive.
 */
async function lookAtDirect({ sql, direct }: Database): Promise<Finding> {
  const todo = 'See DATABASE_DIRECT_URL: revoked keys and clock moves are seen within 5 seconds.';
  try {
    await mustBeSame(sql, direct, 'DATABASE_DIRECT_URL');
    return ok('its direct address leads to it');
  } catch (error) {
    return look(messageOf(error), todo);
  }
}

async function lookAtNodes({ sql }: Database): Promise<Finding> {
  const distribution = await wholeDistribution(sql);
  if (distribution === null) return ok(oneServer);
  const away = await sql<{ node: string }[]>`
    select format('%s:%s', nodename, nodeport) as node from run_command_on_workers('select 1')
    where not success order by 1`;
  const text = `distributed over ${distribution.nodes} nodes`;
  if (away.length === 0) return ok(text);
  const names = away.map(({ node }) => node).join(', ');
  return broken(`${text}; ${names} cannot be reached`, 'Start it: calls of its accounts get 503.');
}

async function lookAtClock({ sql }: Database): Promise<Finding> {
  const { epochMilliseconds } = await databaseClock(sql);
  const apart = Math.round(Math.abs(epochMilliseconds - wallClock.nowMs()) / 1000);
  const text = `this machine and the database are ${apart} s apart`;
  return apart <= mostSecondsApart
    ? ok(text)
    : look(text, 'Set both by NTP: webhooks and links are measured by this clock.');
}

async function lookAtVault(config: Config, { sql }: Database): Promise<Finding> {
  const vault = await configuredVault(config);
  const { base } = await createBase(sql, silentLog());
  for (const purpose of keyPurposes) await createKeyRing({ ...base, vault }, purpose);
  const mistaken = await mistakenAlarms(sql, await auditSealKeys(config, sql));
  if (mistaken.length > 0) {
    return look(
      `alarms ${mistaken.join(', ')} name rows that these keys stamped: a process that sealed did not know them`,
      'Restart every process with all keys, then close the alarms with `recaudo alarms close`. ' +
        'Add a new key at the end of VAULT_KEYS first, and put it in front in a second step.',
    );
  }
  const opens = `opens the service's keys; encrypts under "${vault.keyId()}"`;
  const { lost } = await keysStillNeeded(config, sql);
  if (lost.length > 0) {
    return broken(
      `the audit cannot check what ${lost.join(', ')} sealed`,
      `Put ${lost.join(', ')} back into VAULT_KEYS behind the first, then \`recaudo vault rewrap\`.`,
    );
  }
  return (await waitingForRewrap(sql, config, vault.keyId())) === 0
    ? ok(`${opens}, and needs no other`)
    : look(
        `${opens}; older keys are still needed`,
        'Run `recaudo vault rewrap` before you take one out of VAULT_KEYS.',
      );
}

/** Returns true for the reserved domain `.invalid` (RFC 2606), as in the default. */
const isNobody = (from: string): boolean => /\.invalid>?\s*$/i.test(from);

const mostMailsCounted = 1_000;

async function lookAtMail(config: Config, { sql }: Database): Promise<Finding> {
  const failed = await countFailedMails(sql);
  const way = config.SMTP_URL ? 'mail goes to a server' : 'mails are files in DATA_DIR/mail';
  if (config.SMTP_URL && isNobody(config.MAIL_FROM)) {
    const found = `mail comes from ${config.MAIL_FROM}: most servers refuse a domain that is none`;
    return look(found, 'Set MAIL_FROM to an address of yours.');
  }
  if (config.SMTP_URL) {
    try {
      await reachMailServer(config.SMTP_URL);
    } catch (error) {
      const found = `the mail server does not take mails: ${messageOf(error)}`;
      return broken(found, 'See SMTP_URL. Mails wait, and are given up after two days.');
    }
  }
  const retried = await countRetriedMails(sql, mostMailsCounted);
  if (failed + retried === 0) return ok(way);
  return look(
    `${way}; ${failed} mails failed, ${retried} will be tried again`,
    'See `recaudo mails list`, then `mails resend`.',
  );
}

/** Attempts to read a fresh mark on the replica, a tenth of a second apart. */
const looksAtReplica = 30;

/** Runs the service's own check, against the primary's current position. */
async function lookAtTheReplica({ sql, replica }: Database): Promise<Finding> {
  if (!replica) return ok('none is configured');
  const { born, no } = await markPrimary(sql);
  let shown = await lookAtReplica(replica.looks);
  for (let looks = 1; looks < looksAtReplica && shown.no < no && shown.born === born; looks += 1) {
    await sleep(100);
    shown = await lookAtReplica(replica.looks);
  }
  const todo = 'See docs/explanation/scaling.md: reads go to the primary meanwhile.';
  if (!shown.standby) return look('it is no standby: promoted, or the primary itself', todo);
  if (shown.born !== born) return look('it is a standby of another database', todo);
  return shown.no >= no ? ok('a standby that follows') : look('it lags behind for seconds', todo);
}

/** Warns about rails whose regular files stopped some days ago. */
async function lookAtFiles({ sql }: Database): Promise<Finding> {
  const { lateFiles } = await import('../rails/index.ts');
  const { business } = await createClocks(sql);
  const late = await lateFiles(sql, business.today());
  if (late.length === 0) return ok('no network is late with its file');
  const names = late.map(({ rail, file_date }) => `${rail} since ${formatDay(file_date)}`);
  return look(
    `no file came from ${names.join(', ')}`,
    'Ask the network, or import it with `recaudo rails import`.',
  );
}

/** Checks the connection to an external server. Skips the embedded one. */
async function lookAtConnection(config: Config): Promise<Record<string, Finding>> {
  const url = config.DATABASE_URL;
  if (url === null) return {};
  const pooler = await attempt('See the pooler.', () => lookAtPooler(config, url));
  const certificate = await lookAtCertificate(config, url).catch((error: unknown) =>
    look(messageOf(error), 'See the certificate of the database.'),
  );
  return { pooler, ...(certificate !== null && { certificate }) };
}

async function lookAtDatabase(config: Config): Promise<Record<string, Finding>> {
  const log = silentLog();
  const todo = 'See DATABASE_URL, and that the server runs and lets this machine in.';
  let database: Database;
  try {
    database = await openDatabase(config, log, 'doctor');
  } catch (error) {
    return { database: broken(messageOf(error), todo) };
  }
  try {
    return await doing('command', async () => {
      const reached = await attempt(todo, async () => {
        await mustTakeWrites(database.sql);
        return ok(config.DATABASE_URL ? 'answers' : 'the embedded server answers');
      });
      if (reached.state === 'broken') return { database: reached };
      const migrations = await attempt('Run `recaudo migrate`.', () => lookAtMigrations(database));
      const found = {
        database: reached,
        roles: await attempt('See the roles in docs/how-to/use-your-own-postgresql.md.', () =>
          lookAtRoles(database),
        ),
        durability: await attempt('See docs/how-to/use-your-own-postgresql.md.', () =>
          lookAtDurability(database),
        ),
        migrations,
        clock: await attempt('See the clock of this machine.', () => lookAtClock(database)),
      };
      const nodes = await attempt('See docs/explanation/scaling.md, Distributed by account.', () =>
        lookAtNodes(database),
      );
      const placed = nodes.found === oneServer ? found : { ...found, nodes };
      if (migrations.state === 'broken') return placed;
      const vaultTodo = 'Set VAULT_KEYS to the keys that this database was encrypted with.';
      return {
        ...placed,
        ...(await lookAtConnection(config)),
        ...(config.DATABASE_DIRECT_URL && { notifications: await lookAtDirect(database) }),
        vault: await attempt(vaultTodo, () => lookAtVault(config, database)),
        ...(database.replica && {
          replica: await attempt('See DATABASE_READ_URL: reads go to the primary.', () =>
            lookAtTheReplica(database),
          ),
        }),
        mail: await attempt('See SMTP_URL.', () => lookAtMail(config, database)),
        backups: await attempt('See docs/how-to/restore.md.', () =>
          lookAtBackups(config, database.sql),
        ),
        files: await attempt('See `recaudo rails list`.', () => lookAtFiles(database)),
      };
    });
  } finally {
    await database.close().catch(() => {});
  }
}

async function lookAtAll(): Promise<Record<string, Finding>> {
  let config: Config;
  try {
    config = readConfig(invocation().env);
  } catch (error) {
    const todo = 'Correct the environment (docs/reference/configuration.md).';
    return { configuration: broken(messageOf(error), todo) };
  }
  return {
    configuration: ok(`${config.ENVIRONMENT}, no mistake`),
    channels: lookAtChannels(config),
    ...(config.OIDC_ISSUER !== null && {
      'sign-in': await attempt('See OIDC_ISSUER (docs/how-to/sign-in-with-openid.md).', () =>
        lookAtProvider(config),
      ),
    }),
    ...(await lookAtDatabase(config)),
    disk: await attempt('Make DATA_DIR, writable by this user.', () => lookAtDisk(config)),
  };
}

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check everything this deployment depends on; exits 1 if something is broken')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const findings = Object.entries(await lookAtAll());
      printRows(
        findings.map(([what, finding]) => ({ what, ...finding })),
        options,
      );
      if (findings.some(([, { state }]) => state === 'broken')) exitWith(exits.failed);
    });
}
