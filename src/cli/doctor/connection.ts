import type { Config } from '../../config/index.ts';
import { wallClock } from '../../platform/clocks.ts';
import { databaseAddress } from '../../platform/postgres/address.ts';
import { certificateEnd } from '../../platform/postgres/certificate.ts';
import { connect } from '../../platform/postgres/connect.ts';
import { type Pooling, poolingOf } from '../../platform/postgres/pooler.ts';
import { serversOf } from '../../platform/postgres/servers.ts';
import { broken, type Check, type Checked, type Finding, look, messageOf, ok } from './finding.ts';

const addressOf = (config: Config, url: string) =>
  databaseAddress(url, { production: config.ENVIRONMENT === 'production' });

const poolingAt = (config: Config, url: string): Promise<Pooling> => {
  const { address, tls } = addressOf(config, url);
  const prepare = config.DATABASE_PREPARED_STATEMENTS;
  return poolingOf(() =>
    connect(address, { max: 1, applicationName: 'recaudo doctor', tls, prepare }),
  );
};

/** Checks the pooler's mode by its behavior, and what the service needs with it. */
export async function lookAtPooler(config: Config, url: string): Promise<Finding> {
  const pooling = await poolingAt(config, url);
  switch (pooling) {
    case 'transactions refused':
      return broken('a pooler in statement mode', 'Set its pool_mode to transaction or session.');
    case 'statements lost':
      return broken(
        'a pooler that loses prepared statements',
        'Set its max_prepared_statements above 0, or set DATABASE_PREPARED_STATEMENTS=false.',
      );
    case 'shared':
      return await lookPast(config, url);
    case 'none':
      return ok('every connection has its own session');
  }
}

/** Checks the direct address, which notifications need behind a pooler in transaction mode. */
async function lookPast(config: Config, url: string): Promise<Finding> {
  const direct = config.DATABASE_DIRECT_URL ?? url;
  return direct !== url && (await poolingAt(config, direct)) === 'none'
    ? ok('a pooler in transaction mode; notifications bypass it')
    : look(
        'a pooler in transaction mode, without a direct address',
        'Set DATABASE_DIRECT_URL. Without it, revoked keys and clock moves take up to 5 seconds.',
      );
}

const soonDays = 21;

/**
 * Warns before the database's certificate expires and every connection fails. Throws only if no
 * server answers: after a failover, one of several is off.
 */
export async function lookAtCertificate(
  config: Config,
  url: string,
  now = wallClock.now(),
): Promise<Finding | null> {
  const { address, tls } = addressOf(config, url);
  const looked = await Promise.allSettled(
    serversOf(address).map((server) => certificateEnd(server, tls)),
  );
  const answers = looked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const [failed] = looked.flatMap((one) => (one.status === 'rejected' ? [one] : []));
  if (answers.length === 0 && failed !== undefined) throw failed.reason;
  const [end] = answers.filter((one) => one !== null).toSorted(Temporal.Instant.compare);
  if (end === undefined) return null;
  const days = Math.floor(now.until(end).total('hours') / 24);
  const text = `the certificate of the database expires in ${days} days`;
  if (days >= soonDays) return ok(text);
  const todo = 'Renew it on the server: no process can connect once it expires.';
  return days < 0 ? broken('the certificate of the database has expired', todo) : look(text, todo);
}

/** Checks of a configured server. The embedded one has neither pooler nor certificate. */
export const connectionChecks: readonly Check<Checked>[] = [
  {
    what: 'pooler',
    todo: 'Check the pooler.',
    look: ({ config }) =>
      config.DATABASE_URL === null ? null : lookAtPooler(config, config.DATABASE_URL),
  },
  {
    what: 'certificate',
    todo: 'Check the certificate of the database.',
    look: ({ config }) =>
      config.DATABASE_URL === null
        ? null
        : lookAtCertificate(config, config.DATABASE_URL).catch((error: unknown) =>
            look(messageOf(error), 'Check the certificate of the database.'),
          ),
  },
];
