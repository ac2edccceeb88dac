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
  doc: 'Roles of the process, separated by commas: `payments` and `qr` serve the APIs, `web` the pages of payers and the portal, `worker` runs scheduled work',
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
  doc: `Tokens that let QR schemes call /resolve, separated by commas. Unset: \`${sandboxResolveToken}\` in the sandbox, none in production`,
  fallback: null,
  read(text) {
    const tokens = text.split(',').map((token) => token.trim());
    return tokens.every((token) => /^[!-~]{16,255}$/.test(token))
      ? ok(tokens)
      : fault('must be a list of tokens of 16 to 255 visible ASCII characters each');
  },
};

const vaultKeys: Variable<[VaultKey, ...VaultKey[]], null> = {
  doc: "Encryption keys of card numbers and of the service's secrets, as `id:base64 of 32 bytes`, separated by commas. The first encrypts, all decrypt. Required in production. Unset in the sandbox: the service generates one in `DATA_DIR/vault-keys`",
  fallback: null,
  read(text) {
    const keys = readVaultKeys(text);
    return keys
      ? ok(keys)
      : fault('must be a list of id:key, each id once, each key base64 of 32 bytes');
  },
};

const anchorAddress = urlOf(
  "Receiver outside the database of each account's last seal of the day, such as `file:///var/lib/anchors`, `syslog+tls://logs.example.com:6514` or `https://anchors.example.com/`. Unset: none",
  anchorProtocols,
  { hostless: ['file:'] },
);

const anchors: Variable<string, null> = {
  ...anchorAddress,
  read(text) {
    const read = anchorAddress.read(text);
    return 'fault' in read || namesAnchorFile(text)
      ? read
      : fault('must be a file on this machine, such as file:///var/lib/anchors');
  },
};

export const variables = {
  ENVIRONMENT: words(
    '`sandbox` simulates money and time. `production` moves real money and rejects settings of the sandbox. A database keeps the environment of its first start, and a process with another one refuses to start',
    'sandbox',
    ['sandbox', 'production'],
  ),
  ...processVariables,
  PUBLIC_URL: shaped(
    'Origin of the links that payers get. Required in production, with https. Unset: `http://HOST:PORT`',
    null,
    /^https?:\/\/[^/\s?#@]+\/?$/,
    'an origin such as https://pagos.example.com, without a path',
  ),
  ...databaseVariables,
  DATA_DIR: anyText('Folder of the embedded database and of local files', './data'),
  ROLES: roleList,
  SANDBOX_API_KEY: shaped(
    'API key of the demo account, in the sandbox only. Unset: a random one',
    null,
    /^[!-~]{16,255}$/,
    '16 to 255 visible ASCII characters',
  ),
  SANDBOX_ACCOUNT_ID: shaped(
    'Id of the demo account, in the sandbox only. Unset: a random one',
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
    'Mail server: `smtps://user:password@host`, or `smtp://…?requireTLS=true` for STARTTLS. Required in production, where plain `smtp://` is only for a server on this machine. Unset: e-mails are files in `DATA_DIR/mail`',
    ['smtp:', 'smtps:'],
  ),
  MAIL_FROM: anyText(
    'Sender of e-mails. Set an address of yours if SMTP_URL is set',
    'Recaudo <no-reply@recaudo.invalid>',
  ),
  DEBIT_LEAD_DAYS: integer(
    'Earliest due date of a new bank debit, in business days from today. Must be greater than DEBIT_HANDOVER_DAYS',
    '3',
    2,
    30,
  ),
  DEBIT_HANDOVER_DAYS: integer(
    'Business days from the submission of a debit to its run. It can be canceled until its submission',
    '2',
    1,
    30,
  ),
  CARD_CUT_DAY: integer(
    'Last day of a month on which card debits of that month can be requested. `accounts set --card-cut-day` overrides it for an account',
    '19',
    1,
    31,
  ),
  CARD_REVERSAL_DAYS: integer(
    'Calendar days after its run for which a card debit can be reversed. The card number of a canceled mandate is erased after that',
    '30',
    0,
    540,
  ),
  CORS_ORIGINS: originList,
  ...connectorVariables,
  ...railVariables,
  QR_ACCEPTOR: identifier(
    'Reverse domain name of the acceptor in QR codes. Unset: `qr` is not offered',
    'ar.recaudo',
    /^[a-z0-9-]+(\.[a-z0-9-]+)+$/,
    'a reverse domain name',
  ),
  QR_ADMINISTRATOR_CUIT: shaped(
    'CUIT of the QR scheme administrator, in QR codes',
    '30692264785',
    /^[0-9]{11}$/,
    '11 digits',
  ),
  QR_ADMINISTRATOR_NAME: anyText(
    'Name of the QR scheme administrator, which wallets show',
    'COELSA',
  ),
  RESOLVE_TOKENS: resolveTokens,
  QR_MCC: shaped('Merchant category code in QR codes', '9399', /^[0-9]{4}$/, '4 digits'),
  S3_ENDPOINT: bareUrl(
    'Address of an S3-compatible store for documents of bulk imports. Needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY. Unset: the database stores them',
    ['http:', 'https:'],
  ),
  S3_BUCKET: shaped(
    'Bucket in S3_ENDPOINT',
    null,
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'a bucket name of 3 to 63 lower-case letters, digits, dots and dashes',
  ),
  S3_REGION: anyText('Region of S3_ENDPOINT', 'us-east-1'),
  S3_ACCESS_KEY_ID: shaped(
    'Access key id of S3_ENDPOINT',
    null,
    /^[!-~]+$/,
    'visible ASCII characters',
  ),
  S3_SECRET_ACCESS_KEY: shaped(
    'Secret of S3_ACCESS_KEY_ID',
    null,
    /^[!-~]+$/,
    'visible ASCII characters',
  ),
  UPLOADS_OPEN: integer(
    'Maximum bulk imports of an account that are in progress: awaiting their document, or being processed. Further ones get 429',
    '20',
    1,
    10_000,
  ),
  UPLOADS_STORED_MIB: integer(
    'Maximum size of unprocessed documents of an account in the database, in MiB. Above it, new bulk imports get 429',
    '2048',
    1,
    1_000_000,
  ),
  WEBHOOK_TIMEOUT_MS: integer(
    'Milliseconds for a webhook to answer. Slower deliveries count as failed',
    '10000',
    100,
    30_000,
  ),
  WEBHOOK_CONCURRENCY: integer(
    'Maximum concurrent deliveries to one webhook, from each process',
    '8',
    1,
    64,
  ),
  EVENT_RETENTION_DAYS: integer(
    'Days for which ended deliveries to webhooks are kept. Events are kept forever',
    '30',
    1,
    3650,
  ),
  LOG_LEVEL: words('Least severe level to log', 'info', [
    'silent',
    'fatal',
    'error',
    'warn',
    'info',
    'debug',
    'trace',
  ]),
} satisfies Record<string, Variable<unknown, string | null>>;
