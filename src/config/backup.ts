import { readVaultKeys, type VaultKey } from '../platform/vault.ts';
import { anyText, fault, integer, ok, shaped, urlOf, type Variable } from './variable.ts';

const backupKeys: Variable<[VaultKey, ...VaultKey[]], null> = {
  doc: 'Keys that backups are encrypted with, written as VAULT_KEYS: the first encrypts, all decrypt. Keep them apart from the backups',
  fallback: null,
  read(text) {
    const keys = readVaultKeys(text);
    return keys
      ? ok(keys)
      : fault('must be a list of id:key, each id once, each key base64 of 32 bytes');
  },
};

const address = urlOf(
  'Where backups are: `file:///var/backups/recaudo`, or a bucket and a prefix of an S3-compatible store, `https://s3.example.com/bucket/recaudo`; unset: nowhere',
  ['file:', 'http:', 'https:'],
  { hostless: ['file:'] },
);

/** Backups and the drill of restoring them. */
export const backupVariables = {
  BACKUP_TO: {
    ...address,
    read(text) {
      const read = address.read(text);
      if ('fault' in read) return read;
      const { protocol, host, pathname, username, password } = new URL(read.value);
      if (username !== '' || password !== '') return fault('must hold no user name or password');
      if (protocol === 'file:' && host !== '') {
        return fault('must name a folder of this machine, such as file:///var/backups/recaudo');
      }
      return pathname === '/' ? fault('must name a folder, or a bucket') : read;
    },
  } satisfies Variable<string, null>,
  BACKUP_KEYS: backupKeys,
  BACKUP_DATABASE_URL: urlOf(
    'The database as a role that may replicate, past any pooler; unset: DATABASE_URL',
    ['postgres:', 'postgresql:'],
    { hostless: ['postgres:', 'postgresql:'] },
  ),
  BACKUP_ACCESS_KEY_ID: shaped(
    'Key of the store in BACKUP_TO',
    null,
    /^[!-~]+$/,
    'visible ASCII characters',
  ),
  BACKUP_SECRET_ACCESS_KEY: shaped(
    'Secret of that key',
    null,
    /^[!-~]+$/,
    'visible ASCII characters',
  ),
  BACKUP_REGION: anyText('Region of that store', 'us-east-1'),
  BACKUP_KEEP_DAYS: integer('Any moment of so many days can be restored', '14', 1, 3650),
  BACKUP_HOUR: integer(
    'Hour of the day, in Argentina, from which `backup run` takes the base backup of the day and restores it as a drill',
    '3',
    0,
    23,
  ),
  BACKUP_POSTGRES_BIN: shaped(
    'Folder with `postgres` and `pg_ctl` of the major version of your server, for restores; unset: the embedded PostgreSQL',
    null,
    /^\/.+$/,
    'an absolute path',
  ),
} satisfies Record<string, Variable<unknown, string | null>>;

/** Returns the faults among backup variables. */
export function backupFaults(env: Record<string, string | undefined>): string[] {
  if (!env.BACKUP_TO) return [];
  const needed = /^https?:/i.test(env.BACKUP_TO)
    ? ['BACKUP_KEYS', 'BACKUP_ACCESS_KEY_ID', 'BACKUP_SECRET_ACCESS_KEY']
    : ['BACKUP_KEYS'];
  return needed.filter((name) => !env[name]).map((name) => `${name} must be set, as BACKUP_TO is`);
}
