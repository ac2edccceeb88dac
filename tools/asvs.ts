/** A test by its file below `test/` and the beginning of its name. */
export type TestId = readonly [file: string, name: string];

/** Reason why a requirement does not apply: the service has nothing of the kind. */
interface Absent {
  absent: string;
}

/**
 * A requirement: its number, our wording of it, and its proof, or the reason why it is open or does
 * not apply.
 */
export type AsvsRow = readonly [
  id: string,
  asks: string,
  proof: readonly TestId[] | Absent | string,
];

interface Chapter {
  title: string;
  rows: readonly AsvsRow[];
}

const t = (file: string, name: string): TestId => [file, name];

const lockOut = t('portal/lock-out', 'limits attempts from one network without');
const acts = t('portal/matrix', 'admits to %s only the roles in the table');
const otherAccounts = t('portal/matrix', 'hides %s of another account from every role');
const fuzz = t('attacks/fuzz', 'answers random calls and forms without a 5xx');
const histories = t('histories/killed', 'loses nothing and counts nothing twice');

/** OWASP ASVS 5.0, levels 1 and 2. Numbers are those of the standard. */
export const asvs: readonly Chapter[] = [
  {
    title: 'Input (V2)',
    rows: [
      [
        '2.1.1',
        'validation rules are documented',
        [t('openapi', 'describes every member, parameter and call')],
      ],
      [
        '2.1.2',
        'rules between fields are documented',
        [t('docs', 'keeps generated documents in sync')],
      ],
      ['2.1.3', 'limits are documented', [t('docs', 'keeps generated documents in sync')]],
      [
        '2.2.1',
        'input is checked against its expected form',
        [fuzz, t('payment-requests/create-400', 'requires %s')],
      ],
      ['2.2.2', 'the server validates', [fuzz]],
      [
        '2.2.3',
        'combinations of fields are consistent',
        [
          t(
            'payment-requests/create-400',
            'requires a second due date and a second total together',
          ),
        ],
      ],
      [
        '2.3.1',
        'steps of a flow cannot be skipped',
        [t('portal/people', 'opens nothing before the second factor')],
      ],
      [
        '2.3.2',
        'business limits are enforced',
        [t('attacks/one-key', 'answers 429 above an account’s limit of concurrent calls')],
      ],
      ['2.3.3', 'each operation completes fully or not at all', [histories]],
      [
        '2.3.4',
        'concurrent calls cannot take a limited resource twice',
        [t('attacks/card-attempts', 'admits only one of several concurrent attempts')],
      ],
      [
        '2.4.1',
        'automated calls are rate-limited',
        [
          t('attacks/strangers', 'limits strangers’ calls per address'),
          t('attacks/card-attempts', 'delays card testing across many requests'),
        ],
      ],
    ],
  },
  {
    title: 'Files (V5)',
    rows: [
      [
        '5.1.1',
        'types and sizes of uploads are documented',
        [
          t('docs', 'keeps generated documents in sync'),
          t('attacks/parsers', 'refuses a workbook with %s'),
        ],
      ],
      [
        '5.2.1',
        'file sizes have a processable limit',
        [t('attacks/portal-uploads', 'refuses a file of 100 MB without keeping it in memory')],
      ],
      [
        '5.2.2',
        'file contents match their type',
        [
          t('attacks/portal-uploads', 'answers 4xx to a form %s'),
          t('attacks/parsers', 'refuses a workbook with %s'),
        ],
      ],
      [
        '5.2.3',
        'unpacked size is checked before unpacking',
        [t('attacks/parsers', 'does not unpack a part beyond its declared')],
      ],
      [
        '5.3.1',
        'uploaded files are never executed',
        [t('attacks/files-on-disk', 'hides e-mails from other users of the machine')],
      ],
      [
        '5.3.2',
        'users do not supply file paths',
        [t('attacks/files-on-disk', 'hides e-mails from other users of the machine')],
      ],
      [
        '5.4.1',
        'the service chooses the names of downloads',
        [
          t('portal/qr-sheets', 'prints at most 600 codes on a sheet'),
          t('portal/accesses', 'shows refused acts and downloads to owners'),
        ],
      ],
      [
        '5.4.2',
        'file names in headers are encoded',
        [t('payment-requests/documents/links', 'sends every document with its type')],
      ],
      [
        '5.4.3',
        'files from untrusted sources are scanned for malware',
        'uploads are parsed and never served again, and logos are redrawn; no scanner is used',
      ],
    ],
  },
  {
    title: 'Authentication (V6)',
    rows: [
      [
        '6.1.1',
        'rate limits and lock-out are documented',
        [t('docs', 'keeps generated documents in sync')],
      ],
      [
        '6.1.2',
        'forbidden words in passwords are listed',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      ['6.1.3', 'ways to sign in are documented', [t('docs', 'keeps generated documents in sync')]],
      [
        '6.2.1',
        'passwords have a minimum length',
        [t('portal/passwords', 'requires at least twelve characters')],
      ],
      [
        '6.2.2',
        'users can change their password',
        [t('portal/people', 'lists a user’s sessions and ends one, and ends')],
      ],
      [
        '6.2.3',
        'changing it requires the current password',
        [t('portal/people', 'lists a user’s sessions and ends one, and ends')],
      ],
      [
        '6.2.4',
        'common passwords are rejected',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      [
        '6.2.5',
        'passwords can contain any characters',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      [
        '6.2.6',
        'password fields hide their content',
        [t('portal/every-page-account', 'visits every declared page')],
      ],
      [
        '6.2.7',
        'pasting and password managers work',
        [t('portal/by-keyboard', 'signs in with password and code by keyboard')],
      ],
      [
        '6.2.8',
        'passwords are verified exactly as received',
        'they are normalized to NFC, so that different keyboards produce the same password',
      ],
      [
        '6.2.9',
        'passwords can have 64 characters or more',
        [t('portal/passwords', 'requires at least twelve characters')],
      ],
      [
        '6.2.10',
        'passwords do not expire',
        [t('portal/people', 'refuses a user’s last four passwords')],
      ],
      [
        '6.2.11',
        'listed words are rejected',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      [
        '6.3.1',
        'guessing is limited',
        [lockOut, t('portal/people', 'accepts ten code attempts, then blocks')],
      ],
      [
        '6.3.2',
        'a second factor is required',
        [t('portal/production', 'admits %s in production only with a second')],
      ],
      [
        '6.3.3',
        'no sign-in method is weaker than the others',
        [t('portal/passkeys', 'proves identity with a passkey, and refuses')],
      ],
      [
        '6.4.1',
        'initial secrets are random, short-lived and replaced',
        [t('portal/invitations', 'accepts an invitation for seven days, then')],
      ],
      [
        '6.4.2',
        'there are no secret questions',
        [t('portal/every-page-account', 'visits every declared page')],
      ],
      [
        '6.4.3',
        'a password reset keeps the second factor',
        [t('portal/people', 'ends all sessions on a reset, and gives unknown addresses')],
      ],
      [
        '6.4.4',
        'replacing a lost factor requires proof of identity',
        [t('portal/passkeys', 'lets the operator remove every factor')],
      ],
      [
        '6.5.1',
        'codes work once',
        [
          t('portal/people', 'accepts a TOTP code once, even from two'),
          t('portal/people', 'accepts a recovery code once, even from two'),
        ],
      ],
      [
        '6.5.2',
        'recovery codes are hashed',
        [t('portal/passkeys', 'stores recovery codes only as hashes')],
      ],
      [
        '6.5.3',
        'codes come from a secure random generator',
        [t('portal/passkeys', 'issues ten recovery codes, only with the first')],
      ],
      [
        '6.5.4',
        'codes have at least 20 bits',
        [t('portal/passkeys', 'issues ten recovery codes, only with the first')],
      ],
      [
        '6.5.5',
        'time-based codes live 30 seconds',
        'the previous and next code are accepted, because clocks differ',
      ],
      [
        '6.6.1',
        'no codes by telephone',
        [t('portal/every-page-account', 'visits every declared page')],
      ],
      [
        '6.6.2',
        'each challenge belongs to one request',
        [t('portal/passkeys', 'accepts a challenge only in its session')],
      ],
      [
        '6.6.3',
        'codes cannot be guessed',
        [t('portal/people', 'accepts ten code attempts, then blocks')],
      ],
      [
        '6.8.1',
        'an identity is known by its provider and its id there',
        [t('portal/provider', 'refuses a new identity with the address of a user')],
      ],
      ['6.8.2', 'assertions are signed', [t('portal/provider', 'refuses an answer with %s')]],
      [
        '6.8.3',
        'SAML assertions count once',
        { absent: 'people sign in by OpenID Connect, never by SAML' },
      ],
      [
        '6.8.4',
        'strength and recency come from the assertion',
        [t('portal/provider', 'asks for our second factor, unless the provider')],
      ],
    ],
  },
  {
    title: 'Sessions (V7)',
    rows: [
      ['7.1.1', 'lifetimes are documented', [t('docs', 'keeps generated documents in sync')]],
      [
        '7.1.2',
        'concurrent sessions are documented',
        [t('docs', 'keeps generated documents in sync')],
      ],
      [
        '7.1.3',
        'federated sessions are documented',
        [t('docs', 'keeps generated documents in sync')],
      ],
      [
        '7.2.1',
        'the server verifies sessions',
        [t('portal/sign-in', 'signs a user out for good, even with the same')],
      ],
      [
        '7.2.2',
        'each session has its own token',
        [t('portal/people', 'opens nothing before the second factor')],
      ],
      [
        '7.2.3',
        'session tokens have 128 random bits',
        [t('portal/sign-in', 'stores no session secret, and only an')],
      ],
      [
        '7.2.4',
        'signing in creates a new token',
        [t('portal/people', 'opens nothing before the second factor')],
      ],
      [
        '7.3.1',
        'idle sessions end',
        [t('portal/sign-in', 'ends a session after 15 idle minutes or 12')],
      ],
      [
        '7.3.2',
        'sessions have a maximum lifetime',
        [t('portal/sign-in', 'ends a session after 15 idle minutes or 12')],
      ],
      [
        '7.4.1',
        'signing out ends the session',
        [t('portal/sign-in', 'signs a user out for good, even with the same')],
      ],
      [
        '7.4.2',
        'suspending a user ends their sessions',
        [t('portal/people', 'does not reactivate a user who was suspended')],
      ],
      [
        '7.4.3',
        'changing a factor ends other sessions',
        [t('portal/people', 'lists a user’s sessions and ends one, and ends')],
      ],
      [
        '7.4.4',
        'each page has a sign-out',
        [t('portal/every-page-account', 'visits every declared page')],
      ],
      [
        '7.4.5',
        'operators can end a user’s sessions',
        [t('portal/sign-in', 'lets an operator end a person’s sessions')],
      ],
      [
        '7.5.1',
        'changing factors requires a fresh proof of identity',
        [t('portal/passkeys', 'requires a fresh proof to add or remove')],
      ],
      [
        '7.5.2',
        'users can see and end their sessions',
        [t('portal/people', 'lists a user’s sessions and ends one, and ends')],
      ],
      [
        '7.6.1',
        'federated sessions end together',
        'a session here lasts 12 hours at most, whatever the provider’s does',
      ],
      [
        '7.6.2',
        'no session starts without a user action',
        [t('portal/sign-in', 'varies form tokens in each answer, and sends')],
      ],
    ],
  },
  {
    title: 'Access control (V8)',
    rows: [
      ['8.1.1', 'permissions are documented', [t('docs', 'keeps generated documents in sync')]],
      [
        '8.1.2',
        'field-level permissions are documented',
        [t('docs', 'keeps generated documents in sync')],
      ],
      ['8.2.1', 'roles determine the allowed actions', [acts]],
      ['8.2.2', 'only its owner can access data', [otherAccounts]],
      [
        '8.2.3',
        'field access follows permissions',
        [t('attacks/card-numbers', 'returns only id and state from the sandbox')],
      ],
      ['8.3.1', 'the server enforces access', [acts]],
      [
        '8.4.1',
        'tenants are isolated',
        [otherAccounts, t('attacks/card-numbers', 'refuses one account’s card ciphertext')],
      ],
    ],
  },
  {
    title: 'Logging (V16)',
    rows: [
      [
        '16.1.1',
        'logged events and their destination are documented',
        [t('docs', 'keeps generated documents in sync')],
      ],
      [
        '16.2.1',
        'log lines state when, where, who and what',
        [
          t('attacks/calls', 'logs account, key id and address of a call'),
          t('portal/accesses', 'logs user and account of each portal request'),
        ],
      ],
      [
        '16.2.2',
        'times have a time zone',
        [t('attacks/calls', 'logs account, key id and address of a call')],
      ],
      [
        '16.2.3',
        'logs go only to documented destinations',
        [t('docs', 'keeps generated documents in sync')],
      ],
      [
        '16.2.4',
        'log lines are machine-readable',
        [t('attacks/calls', 'logs account, key id and address of a call')],
      ],
      [
        '16.2.5',
        'secrets and card numbers are not logged',
        [
          t('attacks/card-texts', 'masks card numbers in every log line'),
          t('attacks/calls', 'logs account, key id and address of a call'),
        ],
      ],
      [
        '16.3.1',
        'sign-ins are recorded, including failed ones',
        [t('portal/accesses', 'counts a user’s failed sign-ins in one')],
      ],
      [
        '16.3.2',
        'refused actions are recorded',
        [t('portal/accesses', 'shows refused acts and downloads to owners')],
      ],
      [
        '16.3.3',
        'attempts to bypass controls are recorded',
        [
          t('portal/accesses', 'sends one e-mail to a user locked out'),
          t('attacks/card-attempts', 'delays card testing across many requests'),
        ],
      ],
      [
        '16.3.4',
        'unexpected errors are logged',
        [t('platform/http/error-bodies', 'puts "errors" first for every kind of refusal')],
      ],
      [
        '16.4.1',
        'logs are safe from injection',
        [t('attacks/calls', 'uses the connection’s address if the header has no')],
      ],
      [
        '16.4.2',
        'logs cannot be changed',
        'events are sealed; the operator must protect log files',
      ],
      [
        '16.4.3',
        'logs are sent to a separate system',
        'the operator forwards stderr; the service sends nothing itself',
      ],
      [
        '16.5.1',
        'errors tell nothing of the inside',
        [fuzz, t('platform/http/error-bodies', 'puts "errors" first for every kind of refusal')],
      ],
      [
        '16.5.2',
        'it goes on when others fail',
        [t('failure/connectors', 'charges and books at most once')],
      ],
      ['16.5.3', 'it fails closed', [histories]],
    ],
  },
];

function proofText(proof: AsvsRow[2]): string {
  if (typeof proof === 'string') return `open: ${proof}`;
  if ('absent' in proof) return `does not apply: ${proof.absent}`;
  return proof.map(([file, name]) => `\`test/${file}.test.ts\`: ${name} …`).join('; ');
}

/** Renders the document from the table above. */
export function asvsDocument(): string {
  const all = asvs.flatMap(({ rows }) => rows);
  const open = all.filter(([, , proof]) => typeof proof === 'string');
  const absent = all.filter(([, , proof]) => typeof proof === 'object' && 'absent' in proof);
  const chapters = asvs.map(({ title, rows }) =>
    [
      `## ${title}`,
      '',
      '| Number | Requirement | Proof |',
      '| --- | --- | --- |',
      ...rows.map(([id, asks, proof]) => `| ${id} | ${asks} | ${proofText(proof)} |`),
    ].join('\n'),
  );
  return [
    '# OWASP ASVS 5.0',
    '',
    `Levels 1 and 2 of six chapters of the Application Security Verification Standard: ${all.length} requirements, of which ${open.length} are open and ${absent.length} do not apply, each with its reason. Proofs are tests. \`npm run docs\` writes this page from \`tools/asvs.ts\`.`,
    '',
    chapters.join('\n\n'),
    '',
  ].join('\n');
}
