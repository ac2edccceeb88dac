import { readVaultKeys, type VaultKey } from '../platform/vault.ts';
import { anchorProtocols, namesAnchorFile } from '../seals/anchors/address.ts';
import { backupVariables } from './backup.ts';
import { connectorVariables } from './connectors.ts';
import { databaseVariables } from './database.ts';
import { limitVariables, originList } from './limits.ts';
import { peopleVariables } from './people.ts';
import { processVariables } from './process.ts';
import { railVariables } from './rails.ts';
import {
  anyText,
  bareUrl,
  fault,
  identifier,
  integer,
  ok,
  shaped,
  urlOf,
  type Variable,
  words,
} from './variable.ts';

export type Environment = 'sandbox' | 'production';
const roles = ['payments', 'qr', 'web', 'worker'] as const;
export type Role = (typeof roles)[number];

const isRole = (word: string): word is Role => roles.some((role) => role === word);

const roleList: Variable<Role[]> = {
  doc: 'What this process does: `payments` and `qr` answer their APIs, `web` the pages of payers, `worker` runs what falls due',
  fallback: roles.join(','),
  read(text) {
    const list = text.split(',').map((word) => word.trim());
    return list.length > 0 && list.every(isRole)
      ? ok([...new Set(list)] as Role[])
      : fault(`must be a list of ${roles.join(', ')}, separated by commas`);
  },
};

/** The sandbox's default token. Production has none. */
export const sandboxResolveToken = 'sandbox-resolve-token';

const resolveTokens: Variable<string[], null> = {
  doc: `Tokens of the QR schemes that may call /resolve, separated by commas; unset: \`${sandboxResolveToken}\` in the sandbox, none in production`,
  fallback: null,
  read(text) {
    const tokens = text.split(',').map((token) => token.trim());
    return tokens.every((token) => /^[!-~]{16,255}$/.test(token))
      ? ok(tokens)
      : fault('must be a list of tokens of 16 to 255 visible ASCII characters each');
  },
};

const vaultKeys: Variable<[VaultKey, ...VaultKey[]], null> = {
  doc: "Keys that card numbers and the service's own secrets are encrypted with, `id:base64 of 32 bytes`, separated by commas: the first encrypts, all decrypt. Unset, in the sandbox: a key of its own in `DATA_DIR/vault-keys`",
  fallback: null,
  read(text) {
    const keys = readVaultKeys(text);
    return keys
      ? ok(keys)
      : fault('must be a list of id:key, each id once, each key base64 of 32 bytes');
  },
};

const anchorAddress = urlOf(
  'Where the last seal of each account and day is kept outside the database, such as `file:///var/lib/anchors`, `syslog+tls://logs.example.com:6514` or `https://anchors.example.com/`; unset: nowhere',
  anchorProtocols,
  { hostless: ['file:'] },
);

const anchors: Variable<string, null> = {
  ...anchorAddress,
  read(text) {
    const read = anchorAddress.read(text);
    return 'fault' in read || namesAnchorFile(text)
      ? read
      : fault('must name a file of this machine, such as file:///var/lib/anchors');
  },
};

export const variables = {
  ENVIRONMENT: words('`production` refuses everything of the sandbox', 'sandbox', [
    'sandbox',
    'production',
  ]),
  ...processVariables,
  PUBLIC_URL: shaped(
    'Origin in the links that payers get; unset: `http://HOST:PORT`',
    null,
    /^https?:\/\/[^/\s?#@]+\/?$/,
    'an origin such as https://pagos.example.com, without a path',
  ),
  ...databaseVariables,
  DATA_DIR: anyText('Where the embedded database and local files live', './data'),
  ROLES: roleList,
  SANDBOX_API_KEY: shaped(
    'Fixes the key of the demo account (sandbox only)',
    null,
    /^[!-~]{16,255}$/,
    '16 to 255 visible ASCII characters',
  ),
  SANDBOX_ACCOUNT_ID: shaped(
    'Fixes the id of the demo account (sandbox only)',
    null,
    /^[0-9A-F]{8}$/,
    '8 upper-case hexadecimal characters',
  ),
  ...limitVariables,
  ...peopleVariables,
  VAULT_KEYS: vaultKeys,
  ...backupVariables,
  ANCHORS: anchors,
  SMTP_URL: urlOf(
    'Mail server, `smtps://user:password@host`, or `smtp://…?requireTLS=true` for STARTTLS, one of which production needs unless the server is this machine; unset: mails are files (sandbox only)',
    ['smtp:', 'smtps:'],
  ),
  MAIL_FROM: anyText(
    'From whom mails come: an address of yours where a server sends them',
    'Recaudo <no-reply@recaudo.invalid>',
  ),
  DEBIT_LEAD_DAYS: integer(
    'Business days from today to the first due date that a bank debit may have; more than DEBIT_HANDOVER_DAYS',
    '3',
    2,
    30,
  ),
  DEBIT_HANDOVER_DAYS: integer(
    'Business days before its run on which a debit is handed over; until then it can be canceled',
    '2',
    1,
    30,
  ),
  CARD_CUT_DAY: integer(
    'Day of the month through which card debits of that month may be asked for',
    '19',
    1,
    31,
  ),
  CARD_REVERSAL_DAYS: integer(
    'Calendar days after its run in which a card debit may be reversed; the number of a canceled card is erased after them',
    '30',
    0,
    540,
  ),
  CORS_ORIGINS: originList,
  ...connectorVariables,
  ...railVariables,
  QR_ACCEPTOR: identifier(
    'Reverse domain of the acceptor in QR codes',
    'ar.recaudo',
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    'a reverse domain name',
  ),
  QR_ADMINISTRATOR_CUIT: shaped(
    'CUIT of the scheme administrator in QR codes',
    '30692264785',
    /^[0-9]{11}$/,
    '11 digits',
  ),
  QR_ADMINISTRATOR_NAME: anyText('Name of the scheme administrator, for wallets', 'COELSA'),
  RESOLVE_TOKENS: resolveTokens,
  QR_MCC: shaped('Merchant category code in QR codes', '9399', /^[0-9]{4}$/, '4 digits'),
  S3_ENDPOINT: bareUrl('S3-compatible store for documents of bulk imports; unset: the database', [
    'http:',
    'https:',
  ]),
  S3_BUCKET: shaped(
    'Bucket in that store',
    null,
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'the name of a bucket',
  ),
  S3_REGION: anyText('Region of that store', 'us-east-1'),
  S3_ACCESS_KEY_ID: shaped('Key of that store', null, /^[!-~]+$/, 'visible ASCII characters'),
  S3_SECRET_ACCESS_KEY: shaped('Secret of that key', null, /^[!-~]+$/, 'visible ASCII characters'),
  UPLOADS_OPEN: integer(
    'Bulk imports of an account that may wait for their document or be processed at the same time',
    '20',
    1,
    10_000,
  ),
  UPLOADS_STORED_MIB: integer(
    'Another bulk import begins only while documents of the account in the database take less, in MiB',
    '2048',
    1,
    1_000_000,
  ),
  WEBHOOK_TIMEOUT_MS: integer(
    'How long a webhook may take to answer, in milliseconds',
    '10000',
    100,
    30_000,
  ),
  WEBHOOK_CONCURRENCY: integer(
    'Events sent to one webhook at the same time, by each process',
    '8',
    1,
    64,
  ),
  EVENT_RETENTION_DAYS: integer(
    'How many days it is known how an event was delivered; the event itself stays',
    '30',
    1,
    3650,
  ),
  LOG_LEVEL: words('How much is logged', 'info', [
    'silent',
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
  ]),
} satisfies Record<string, Variable<unknown, string | null>>;
