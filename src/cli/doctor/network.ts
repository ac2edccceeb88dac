import { once } from 'node:events';
import { open, stat } from 'node:fs/promises';
import { connect as dial } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { nothingOffered, offerFor } from '../../composition/offer.ts';
import type { Config } from '../../config/index.ts';
import { withoutSlashes } from '../../kernel/text.ts';
import { offeredChannels } from '../../money/channels/index.ts';
import { bucketStore } from '../../platform/backup/store-s3.ts';
import { wallClock } from '../../platform/clocks.ts';
import { countFailedMails, countRetriedMails } from '../../platform/mail/outbox.ts';
import { reachMailServer } from '../../platform/mail/transport.ts';
import { isUnprotected } from '../../platform/postgres/address.ts';
import { exportSpans } from '../../platform/tracing.ts';
import { oldestUnsent } from '../../seals/index.ts';
import {
  broken,
  type Check,
  type Checked,
  causeOf,
  type Finding,
  look,
  messageOf,
  ok,
} from './finding.ts';
import { lookAtProvider } from './provider.ts';

const patienceMs = 5_000;

function lookAtChannels(config: Config): Finding {
  const offer = offerFor(config);
  return nothingOffered(offer) === null
    ? ok(offeredChannels(offer).join(', '))
    : look(
        'none configured, so every payment request is rejected',
        'Set CONNECTORS or the identifiers of networks (docs/reference/configuration.md, Channels).',
      );
}

const databaseAddresses = [
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'BACKUP_DATABASE_URL',
] as const;

function lookAtEncryption(config: Config): Finding | null {
  if (config.ENVIRONMENT !== 'production') return null;
  const open = databaseAddresses.filter((name) => {
    const address = config[name];
    return address !== null && isUnprotected(address);
  });
  if (open.length === 0) return ok('connections to the database are local, or use verified TLS');
  return look(
    `${open.join(', ')} crosses a network without verified TLS, so others can read it`,
    'Remove its sslmode, or set verify-full, with sslrootcert if you have your own authority.',
  );
}

/**
 * Checks TRUST_PROXY. Behind a proxy that is not trusted, all callers share its address and so one
 * rate limit.
 */
function lookAtProxies({ ENVIRONMENT, TRUST_PROXY: trusted }: Config): Finding | null {
  if (Array.isArray(trusted) && trusted.some((network) => network.endsWith('/0'))) {
    return look(
      'TRUST_PROXY trusts every address, so a caller can pretend to have any other',
      'Set it to the number of your proxies, or to their own networks.',
    );
  }
  if (ENVIRONMENT !== 'production') return null;
  return trusted === false
    ? look(
        'TRUST_PROXY is false, so all callers behind a proxy share one address and its rate limits',
        'Set TRUST_PROXY to the number of proxies in front, or to their networks.',
      )
    : ok('trusted proxies report the addresses of callers');
}

/** Checks PUBLIC_URL, with which payers' links begin. */
async function lookAtPublic({ PUBLIC_URL: origin }: Config): Promise<Finding | null> {
  if (origin === null) return null;
  const todo =
    'Start the service, then check DNS, certificate and proxy. Links of payers use this address.';
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer = await fetch(`${withoutSlashes(origin)}/healthz`, { signal, redirect: 'error' });
    const text = await answer.text();
    return answer.ok && text === '{"status":"ok"}'
      ? ok(`${origin} reaches the service`)
      : look(`${origin} is another service: /healthz returned status ${answer.status}`, todo);
  } catch (error) {
    return look(`${origin} cannot be reached from here: ${causeOf(error)}`, todo);
  }
}

async function lookAtTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: to }: Config): Promise<Finding | null> {
  if (to === null) return null;
  const todo = 'Check OTEL_EXPORTER_OTLP_ENDPOINT: spans are dropped meanwhile.';
  try {
    const status = await exportSpans(to, { resourceSpans: [] });
    return status < 300
      ? ok(`${to} accepts spans`)
      : look(`${to} answered spans with status ${status}`, todo);
  } catch (error) {
    return look(`${to} cannot be reached: ${causeOf(error)}`, todo);
  }
}

/** Returns the files with secrets: those in DATA_DIR, the one in CONNECTORS, and TLS keys. */
function secretFiles(config: Config, connectors: string | undefined): string[] {
  const keys = databaseAddresses.flatMap((name) => {
    const address = config[name];
    return address === null ? [] : [new URL(address).searchParams.get('sslkey') ?? ''];
  });
  const list = connectors?.trim() ?? '';
  const own = ['vault-keys', 'postgres-passwords.json'].map((name) =>
    path.join(config.DATA_DIR, name),
  );
  return [...own, ...(list.startsWith('[') ? [] : [list]), ...keys].filter((file) => file !== '');
}

const forOthers = 0o077;

export async function lookAtSecretFiles(
  config: Config,
  connectors: string | undefined,
): Promise<Finding | null> {
  if (process.platform === 'win32') return null;
  const files = await Promise.all(
    secretFiles(config, connectors).map(async (file) => ({
      file,
      mode: await stat(file).then(
        ({ mode }) => mode,
        () => 0,
      ),
    })),
  );
  const open = files.filter(({ mode }) => (mode & forOthers) !== 0).map(({ file }) => file);
  if (open.length === 0) return null;
  const names = open.join(' ');
  return look(`other users of this machine can read ${names}`, `Run \`chmod 600 ${names}\`.`);
}

/** Checks that need no database. */
export const networkChecks: readonly Check<Config>[] = [
  { what: 'channels', todo: 'Check CONNECTORS.', look: lookAtChannels },
  { what: 'encryption', todo: 'Check DATABASE_URL.', look: lookAtEncryption },
  { what: 'proxies', todo: 'Check TRUST_PROXY.', look: lookAtProxies },
  { what: 'public address', todo: 'Check PUBLIC_URL.', look: lookAtPublic },
  {
    what: 'sign-in',
    todo: 'Check OIDC_ISSUER (docs/how-to/sign-in-with-openid.md).',
    look: (config) => (config.OIDC_ISSUER === null ? null : lookAtProvider(config)),
  },
  { what: 'traces', todo: 'Check OTEL_EXPORTER_OTLP_ENDPOINT.', look: lookAtTraces },
];

/** Returns true for the reserved domain `.invalid` (RFC 2606), as in the default. */
const isNobody = (from: string): boolean => /\.invalid>?\s*$/i.test(from);

const mostMailsCounted = 1_000;

async function lookAtMail({ config, database: { sql } }: Checked): Promise<Finding> {
  const failed = await countFailedMails(sql, mostMailsCounted);
  const way = config.SMTP_URL ? 'e-mail goes to a server' : 'e-mails are files in DATA_DIR/mail';
  if (config.SMTP_URL && isNobody(config.MAIL_FROM)) {
    const found = `the sender is ${config.MAIL_FROM}, a domain that most mail servers reject`;
    return look(found, 'Set MAIL_FROM to your own address.');
  }
  if (config.SMTP_URL) {
    try {
      await reachMailServer(config.SMTP_URL);
    } catch (error) {
      const found = `the mail server does not accept e-mails: ${messageOf(error)}`;
      return broken(found, 'Check SMTP_URL. E-mails wait, and fail after two days.');
    }
  }
  const retried = await countRetriedMails(sql, mostMailsCounted);
  if (failed + retried === 0) return ok(way);
  return look(
    `${way}; ${failed} e-mails failed, ${retried} will be retried`,
    'List them with `recaudo mails list`, then run `recaudo mails resend`.',
  );
}

/** Default ports; those of syslog are registered with IANA. */
const ports: Record<string, number> = {
  'syslog+tcp:': 601,
  'syslog+tls:': 6514,
  'http:': 80,
  'https:': 443,
};

const mostUnsentHours = 24;

async function lookAtAnchors({
  config: { ANCHORS: to },
  database: { sql },
}: Checked): Promise<Finding | null> {
  if (to === null) return null;
  const url = new URL(to);
  const place = `${url.protocol}//${url.host}${url.pathname}`;
  if (url.protocol === 'file:') await (await open(fileURLToPath(url), 'a', 0o600)).close();
  const port = Number(url.port) || ports[url.protocol];
  if (url.host !== '' && port !== undefined) {
    const socket = dial({ host: url.hostname.replace(/^\[|\]$/g, ''), port });
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(patienceMs) });
    } finally {
      socket.destroy();
      socket.on('error', () => {});
    }
  }
  const oldest = await oldestUnsent(sql);
  const hours = oldest === null ? 0 : oldest.until(wallClock.now()).total('hours');
  if (hours > mostUnsentHours) {
    return look(
      `${place} has not received anchors for ${Math.floor(hours)} hours`,
      'Check the receiver, and the log of the worker (docs/how-to/audit.md).',
    );
  }
  return ok(port === undefined && url.host !== '' ? `sends to ${place}` : `${place} is reachable`);
}

async function lookAtUploads({ config }: Checked): Promise<Finding | null> {
  if (config.S3_ENDPOINT === null) return null;
  const { storeOf } = await import('../../composition/terms.ts');
  const settings = storeOf(config);
  if (settings === null) return null;
  const store = bucketStore(settings, 'qr-batches');
  await store.put('doctor', Buffer.from('probe'));
  await store.remove('doctor');
  return ok(`${store.place} accepts documents`);
}

/** Checks of services that this one sends to: mail, anchors, document storage. */
export const storeChecks: readonly Check<Checked>[] = [
  { what: 'mail', todo: 'Check SMTP_URL.', look: lookAtMail },
  {
    what: 'anchors',
    todo: 'Check ANCHORS: seals are not anchored outside the database.',
    look: lookAtAnchors,
  },
  {
    what: 'uploads',
    todo: 'Check S3_ENDPOINT, S3_BUCKET and the rights of its key: bulk imports cannot begin.',
    look: lookAtUploads,
  },
];
