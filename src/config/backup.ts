import { readVaultKeys, type VaultKey } from '../platform/vault.ts';
import { databaseUrl } from './database.ts';
import { anyText, fault, integer, ok, shaped, urlOf, type Variable } from './variable.ts';

const backupKeys: Variable<[VaultKey, ...VaultKey[]], null> = {
  doc: 'Encryption keys of backups, in the format of VAULT_KEYS. The first encrypts, all decrypt. Required with BACKUP_TO. Store them apart from the backups',
  fallback: null,
  read(text) {
    const keys = readVaultKeys(text);
    return keys
      ? ok(keys)
      : fault('must be a list of id:key, each id once, each key base64 of 32 bytes');
  },
};

const address = urlOf(
  'Destination of backups: a folder, `file:///var/backups/recaudo`, or a bucket and prefix of an S3-compatible store, `https://s3.example.com/bucket/recaudo`. Unset: no backups',
  ['file:', 'http:', 'https:'],
  { hostless: ['file:'] },
);

export const backupVariables = {
  BACKUP_TO: {
    ...address,
    read(text) {
      const read = address.read(text);
      if ('fault' in read) return read;
      const { protocol, host, pathname, username, password } = new URL(read.value);
      if (username !== '' || password !== '')
        return fault('must not contain a user name or password');
      if (protocol === 'file:' && host !== '') {
        return fault('must be a folder on this machine, such as file:///var/backups/recaudo');
      }
      if (pathname === '/') {
        return fault('must include the path of a folder or the name of a bucket');
      }
      // S3 services list decoded keys, and XML escapes these characters.
      return protocol !== 'file:' && /[%&']/.test(pathname)
        ? fault(
            'must have a bucket and prefix of ASCII characters, without spaces, `%`, `&` or quotes',
          )
        : read;
    },
  } satisfies Variable<string, null>,
  BACKUP_KEYS: backupKeys,
  BACKUP_DATABASE_URL: databaseUrl(
    'Address of the database for backups: a role with `replication`, without a pooler. Unset: DATABASE_URL',
  ),
  BACKUP_ACCESS_KEY_ID: shaped(
    'Access key id of the store in BACKUP_TO. Required for an http(s) address',
    null,
    /^[!-~]+$/,
    'visible ASCII characters',
  ),
  BACKUP_SECRET_ACCESS_KEY: shaped(
    'Secret of BACKUP_ACCESS_KEY_ID. Required for an http(s) address',
    null,
    /^[!-~]+$/,
    'visible ASCII characters',
  ),
  BACKUP_REGION: anyText('Region of the store in BACKUP_TO', 'us-east-1'),
  BACKUP_KEEP_DAYS: integer(
    'Days of history that backups can restore. Older backups are deleted',
    '14',
    1,
    3650,
  ),
  BACKUP_HOUR: integer(
    'Hour of the day, in Argentina, at which `backup run` takes the daily base backup and test-restores it',
    '3',
    0,
    23,
  ),
  BACKUP_POSTGRES_BIN: shaped(
    'Folder with the `postgres` and `pg_ctl` that restore backups, of the same major version as your server. Unset: the embedded PostgreSQL',
    null,
    /^\/.+$/,
    'an absolute path',
  ),
} satisfies Record<string, Variable<unknown, string | null>>;

export function backupFaults(env: Record<string, string | undefined>): string[] {
  if (!env.BACKUP_TO) return [];
  const needed = /^https?:/i.test(env.BACKUP_TO)
    ? ['BACKUP_KEYS', 'BACKUP_ACCESS_KEY_ID', 'BACKUP_SECRET_ACCESS_KEY']
    : ['BACKUP_KEYS'];
  return needed
    .filter((name) => !env[name])
    .map((name) => `${name} must be set if BACKUP_TO is set`);
}
