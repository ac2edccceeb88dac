// Longer than 300 lines: a table of planted mistakes.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Finding } from '../../../src/cli/doctor/finding.ts';
import { writeManifest } from '../../../src/platform/backup/manifest.ts';
import { folderStore } from '../../../src/platform/backup/store.ts';
import type { Desk } from './desk.ts';

/** A row of `doctor`: the check, its state, the finding and the remedy. */
export type Expected = [what: string, state: Finding['state'], found: string, todo: string];
type Environment = Record<string, string>;

/** A mistake in the variables, or in the files that they name. */
export type Planted = [
  mistake: string,
  plant: (desk: Desk) => Environment | Promise<Environment>,
  find: (desk: Desk) => Expected[],
];

const invalid = (fault: string): Expected => [
  'configuration',
  'broken',
  `The configuration is not valid: - ${fault}`,
  'Correct the environment (docs/reference/configuration.md).',
];

const refused = (mistake: string, env: Environment, fault: string): Planted => [
  mistake,
  () => env,
  () => [invalid(fault)],
];

const s3 = {
  S3_BUCKET: 'documents',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const connector = { name: 'acme', url: 'http://127.0.0.1:1', secrets: [secret] };

/** Mistakes that prevent a start. `doctor` reports the same faults. */
const refusedAtStart: Planted[] = [
  refused('production without keys', { VAULT_KEYS: '' }, 'VAULT_KEYS must be set in production'),
  refused(
    'a sandbox key in production',
    { SANDBOX_API_KEY: 'k'.repeat(20) },
    'SANDBOX_API_KEY must not be set in production',
  ),
  refused(
    'a public address without encryption',
    { PUBLIC_URL: 'http://pay.example.com' },
    'PUBLIC_URL must begin with https:// in production',
  ),
  refused(
    'an unencrypted password for the mail server',
    { SMTP_URL: 'smtp://u:p@mail.example.com' },
    'SMTP_URL must begin with smtps:// or end with ?requireTLS=true in production',
  ),
  refused(
    'a user and password in the address for traces',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://u:p@otlp.example.com' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must not contain a user name or password',
  ),
  refused(
    'a query in the address of the document store',
    { ...s3, S3_ENDPOINT: 'https://s3.example.com?region=x' },
    'S3_ENDPOINT must not contain a query or fragment',
  ),
  refused(
    'half a document store',
    { S3_ENDPOINT: 'https://s3.example.com', S3_BUCKET: 'documents', S3_ACCESS_KEY_ID: 'k' },
    'S3_SECRET_ACCESS_KEY must be set if any of S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY is set',
  ),
  refused(
    'backups without keys',
    { BACKUP_KEYS: '' },
    'BACKUP_KEYS must be set if BACKUP_TO is set',
  ),
  refused(
    'a user and password in the address for backups',
    {
      BACKUP_TO: 'https://u:p@s3.example.com/b',
      BACKUP_ACCESS_KEY_ID: 'k',
      BACKUP_SECRET_ACCESS_KEY: 's',
    },
    'BACKUP_TO must not contain a user name or password',
  ),
  refused(
    'a space in the address for backups',
    {
      BACKUP_TO: 'https://s3.example.com/b/my backups',
      BACKUP_ACCESS_KEY_ID: 'k',
      BACKUP_SECRET_ACCESS_KEY: 's',
    },
    'BACKUP_TO must have a bucket and prefix of ASCII characters, without spaces, `%`, `&` or quotes',
  ),
  refused(
    'a TLS mode that the network can downgrade',
    { DATABASE_DIRECT_URL: 'postgres://db.example.com/d?sslmode=prefer' },
    'DATABASE_DIRECT_URL must have one of disable, require, verify-ca, verify-full as its sslmode, or none',
  ),
  refused(
    'a missing file of connectors',
    { CONNECTORS: '/nowhere/connectors.json' },
    'CONNECTORS must be a JSON list, or the path of a file of up to 256 KiB that holds one',
  ),
];

const away = 'Check OTEL_EXPORTER_OTLP_ENDPOINT: spans are dropped meanwhile.';
const links =
  'Start the service, then check DNS, certificate and proxy. Links of payers use this address.';

const addresses: Planted[] = [
  [
    'a misspelled variable',
    () => ({ DATABASE_REED_URL: 'postgres://replica/recaudo' }),
    () => [
      [
        'configuration',
        'look',
        'DATABASE_REED_URL is not a variable, but DATABASE_READ_URL is',
        'Rename it if you meant DATABASE_READ_URL: nothing reads it.',
      ],
    ],
  ],
  [
    'no channel',
    () => ({ PMC_COMPANY: '' }),
    () => [
      [
        'channels',
        'look',
        'none configured, so every payment request is rejected',
        'Set CONNECTORS or the identifiers of networks (docs/reference/configuration.md, Channels).',
      ],
    ],
  ],
  [
    'an unencrypted connection to the database',
    ({ env }) => ({
      DATABASE_URL: `${env.DATABASE_URL?.replace('127.0.0.1', '0.0.0.0')}?sslmode=disable`,
    }),
    () => [
      [
        'encryption',
        'look',
        'DATABASE_URL crosses a network without verified TLS, so others can read it',
        'Remove its sslmode, or set verify-full, with sslrootcert if you have your own authority.',
      ],
    ],
  ],
  [
    'no configured proxy',
    () => ({ TRUST_PROXY: '' }),
    () => [
      [
        'proxies',
        'look',
        'TRUST_PROXY is false, so all callers behind a proxy share one address and its rate limits',
        'Set TRUST_PROXY to the number of proxies in front, or to their networks.',
      ],
    ],
  ],
  [
    'every address as a proxy',
    () => ({ TRUST_PROXY: '0.0.0.0/0' }),
    () => [
      [
        'proxies',
        'look',
        'TRUST_PROXY trusts every address, so a caller can pretend to have any other',
        'Set it to the number of your proxies, or to their own networks.',
      ],
    ],
  ],
  [
    'a public address of another service',
    ({ refusing }) => ({ ENVIRONMENT: 'sandbox', PUBLIC_URL: `http://${refusing}` }),
    ({ refusing }) => [
      [
        'public address',
        'look',
        `http://${refusing} is another service: /healthz returned status 403`,
        links,
      ],
      [
        'environment',
        'broken',
        'the database belongs to production, but ENVIRONMENT is sandbox',
        'Correct ENVIRONMENT, or use another database: nothing starts on this one.',
      ],
    ],
  ],
  [
    'an unreachable receiver of traces',
    () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }),
    () => [['traces', 'look', 'http://127.0.0.1:1 cannot be reached: bad port', away]],
  ],
  [
    'a receiver that refuses traces',
    ({ refusing }) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://${refusing}` }),
    ({ refusing }) => [
      ['traces', 'look', `http://${refusing} answered spans with status 403`, away],
    ],
  ],
  [
    'a document store that refuses writes',
    ({ refusing }) => ({ ...s3, S3_ENDPOINT: `http://${refusing}` }),
    ({ refusing }) => [
      [
        'uploads',
        'broken',
        `The store http://${refusing}/documents/qr-batches answered PUT with status 403.`,
        'Check S3_ENDPOINT, S3_BUCKET and the rights of its key: bulk imports cannot begin.',
      ],
    ],
  ],
  [
    'a connector that does not answer',
    () => ({ CONNECTORS: JSON.stringify([{ ...connector, channels: ['DEBIN'] }]) }),
    () => [
      [
        'connectors',
        'look',
        'acme DEBIN: ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1',
        'Check `recaudo connectors status` and `connectors alarms`.',
      ],
    ],
  ],
  [
    'an unreachable mail server',
    () => ({ SMTP_URL: 'smtp://127.0.0.1:1' }),
    () => [
      [
        'mail',
        'broken',
        'the mail server does not accept e-mails: connect ECONNREFUSED 127.0.0.1:1',
        'Check SMTP_URL. E-mails wait, and fail after two days.',
      ],
    ],
  ],
  [
    'a wrong password for the mail server',
    ({ mail }) => ({ SMTP_URL: `smtp://u:p@${mail}` }),
    () => [
      [
        'mail',
        'broken',
        'the mail server does not accept e-mails: Invalid login: 535 no such user',
        'Check SMTP_URL. E-mails wait, and fail after two days.',
      ],
    ],
  ],
  [
    'no sender address',
    () => ({ MAIL_FROM: '' }),
    () => [
      [
        'mail',
        'look',
        'the sender is Recaudo <no-reply@recaudo.invalid>, a domain that most mail servers reject',
        'Set MAIL_FROM to your own address.',
      ],
    ],
  ],
];

const store = 'Check BACKUP_TO, BACKUP_KEYS and the rights on the store.';

const files: Planted[] = [
  [
    'secrets that others can read',
    async ({ folder }) => {
      const file = path.join(folder, 'connectors.json');
      await writeFile(file, '[]');
      await chmod(file, 0o644);
      return { CONNECTORS: file };
    },
    ({ folder }) => [
      [
        'secret files',
        'look',
        `other users of this machine can read ${folder}/connectors.json`,
        `Run \`chmod 600 ${folder}/connectors.json\`.`,
      ],
    ],
  ],
  [
    'a data directory that is a file',
    ({ folder }) => ({ DATA_DIR: path.join(folder, 'file') }),
    ({ folder }) => [
      [
        'disk',
        'broken',
        `${folder}/file is not a folder`,
        'Create DATA_DIR, writable by this user.',
      ],
    ],
  ],
  [
    'a missing data directory',
    ({ folder }) => ({ DATA_DIR: path.join(folder, 'none') }),
    ({ folder }) => [
      [
        'disk',
        'broken',
        `ENOENT: no such file or directory, stat '${folder}/none'`,
        'Create DATA_DIR, writable by this user.',
      ],
    ],
  ],
  [
    'anchors in a missing folder',
    ({ folder }) => ({ ANCHORS: `file://${folder}/none/anchors` }),
    ({ folder }) => [
      [
        'anchors',
        'broken',
        `ENOENT: no such file or directory, open '${folder}/none/anchors'`,
        'Check ANCHORS: seals are not anchored outside the database.',
      ],
    ],
  ],
  [
    'anchors on an unreachable log server',
    () => ({ ANCHORS: 'syslog+tcp://127.0.0.1:1' }),
    () => [
      [
        'anchors',
        'broken',
        'connect ECONNREFUSED 127.0.0.1:1',
        'Check ANCHORS: seals are not anchored outside the database.',
      ],
    ],
  ],
  [
    'no backups',
    () => ({ BACKUP_TO: '' }),
    () => [
      [
        'backups',
        'look',
        'no backups configured',
        'Set BACKUP_TO and BACKUP_KEYS (docs/how-to/restore.md).',
      ],
    ],
  ],
  [
    'backups in a folder that cannot be created',
    ({ folder }) => ({ BACKUP_TO: `file://${folder}/file/store` }),
    ({ folder }) => [
      [
        'backup store',
        'broken',
        `ENOTDIR: not a directory, mkdir '${folder}/file/store/probe'`,
        store,
      ],
    ],
  ],
  [
    'a backup bucket that refuses the key',
    ({ refusing }) => ({
      BACKUP_TO: `http://${refusing}/backups`,
      BACKUP_ACCESS_KEY_ID: 'key',
      BACKUP_SECRET_ACCESS_KEY: 'secret',
    }),
    ({ refusing }) => [
      [
        'backup store',
        'broken',
        `The store http://${refusing}/backups answered PUT with status 403.`,
        store,
      ],
    ],
  ],
  [
    'a backup with a damaged manifest',
    async ({ folder }) => {
      const base = path.join(folder, 'flipped/base/20261101T030000Z-bbbb');
      await mkdir(base, { recursive: true });
      await writeFile(path.join(base, 'manifest'), 'flipped');
      return { BACKUP_TO: `file://${folder}/flipped` };
    },
    () => [
      [
        'backup store',
        'look',
        'the backup 20261101T030000Z-bbbb is damaged: its manifest was truncated, changed or moved',
        'Check the disk of the store. Copy the backup back from elsewhere, or run `recaudo backup create`.',
      ],
    ],
  ],
  [
    'a damaged record of the log whose owner no backup shows',
    async ({ folder }) => {
      await mkdir(path.join(folder, 'ownerless/log'), { recursive: true });
      await writeFile(path.join(folder, 'ownerless/log/reached'), 'flipped');
      return { BACKUP_TO: `file://${folder}/ownerless` };
    },
    () => [
      [
        'backup store',
        'look',
        'log/reached of the backup is damaged: it was truncated, changed or moved.',
        'Check the disk of the store. No base backup shows whose log it is, so no log is stored. Copy the object back from elsewhere, or set BACKUP_TO to an empty place.',
      ],
    ],
  ],
  [
    'backups under a removed key',
    async ({ folder }) => {
      const older = [{ id: 'b0', key: Buffer.alloc(32, 1) }] as const;
      const id = '20261101T030000Z-aaaa';
      const manifest = {
        ...({ format: 1, id, systemId: '1', timeline: 1, start: '0/1', end: '0/2' } as const),
        ...{ segmentBytes: 1, beganAt: '', endedAt: '', version: 180000, superuser: '' },
        ...{ database: '', tarBytes: 0, pieces: [] },
      };
      await writeManifest(folderStore(path.join(folder, 'older')), [...older], manifest);
      return { BACKUP_TO: `file://${folder}/older` };
    },
    () => [
      [
        'backup store',
        'broken',
        'base/20261101T030000Z-aaaa/manifest needs the key "b0", which BACKUP_KEYS does not contain.',
        store,
      ],
    ],
  ],
  [
    'backups in the data directory',
    async ({ env }) => {
      await mkdir(`${env.DATA_DIR}/backups`, { recursive: true });
      return { BACKUP_TO: `file://${env.DATA_DIR}/backups` };
    },
    () => [
      [
        'backup store',
        'look',
        'backups are in DATA_DIR, so both could be lost together',
        'Set BACKUP_TO to a folder of another machine or disk, or to a bucket.',
      ],
    ],
  ],
  [
    'one key for the vault and the backups',
    ({ env }) => ({ BACKUP_KEYS: `both:${env.VAULT_KEYS?.split(':')[1]}` }),
    () => [
      [
        'backup store',
        'look',
        'the key "both" of BACKUP_KEYS is also one of VAULT_KEYS: one theft opens both',
        'Generate another key and put it first in BACKUP_KEYS. Remove the old one after BACKUP_KEEP_DAYS.',
      ],
    ],
  ],
  [
    'no PostgreSQL programs for the drill',
    ({ folder }) => ({ BACKUP_POSTGRES_BIN: folder }),
    ({ folder }) => [
      [
        'backup source',
        'look',
        `no drill can run: ${folder} has no program postgres`,
        'Set BACKUP_POSTGRES_BIN to the folder with the programs of PostgreSQL 18.',
      ],
    ],
  ],
];

export const inEnvironment: Planted[] = [...refusedAtStart, ...addresses, ...files];
