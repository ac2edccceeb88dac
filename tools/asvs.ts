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

const lockOut = t('portal/lock-out', 'limits strangers of one network without');
const acts = t('portal/matrix', 'admits to %s only the roles in the table');
const otherAccounts = t('portal/matrix', 'hides %s of another account from every role');
const fuzz = t('attacks/fuzz', 'answers random calls and forms without 5xx');
const histories = t('histories/killed', 'loses nothing and counts nothing twice');

/** OWASP ASVS 5.0, levels 1 and 2. Numbers are those of the standard. */
export const asvs: readonly Chapter[] = [
  {
    title: 'Input (V2)',
    rows: [
      ['2.1.1', 'validation rules are documented', [t('openapi', '')]],
      ['2.1.2', 'rules between fields are documented', [t('docs', '')]],
      ['2.1.3', 'limits are documented', [t('docs', '')]],
      [
        '2.2.1',
        'input is validated against what is expected',
        [fuzz, t('payment-requests/create-400', '')],
      ],
      ['2.2.2', 'validation is the server’s', [fuzz]],
      ['2.2.3', 'combinations of fields make sense', [t('payment-requests/create-400', '')]],
      [
        '2.3.1',
        'steps of a flow cannot be skipped',
        [t('portal/people', 'opens nothing before the second factor')],
      ],
      ['2.3.2', 'limits hold', [t('attacks/one-key', 'bounds an account’s concurrent calls')]],
      ['2.3.3', 'an operation is done whole or not at all', [histories]],
      [
        '2.3.4',
        'nothing is taken twice by racing',
        [t('attacks/card-attempts', 'admits one of two concurrent attempts')],
      ],
      [
        '2.4.1',
        'automated calls are bounded',
        [
          t('attacks/strangers', 'limits strangers’ calls per address'),
          t('attacks/card-attempts', 'delays card testing over many requests'),
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
        [t('docs', ''), t('attacks/parsers', 'refuses a workbook with %s')],
      ],
      [
        '5.2.1',
        'files are no larger than can be processed',
        [t('attacks/portal-uploads', 'refuses a file of 100 MB without storing it')],
      ],
      [
        '5.2.2',
        'contents are what the type says',
        [
          t('attacks/portal-uploads', 'blames the sender for a form %s'),
          t('attacks/parsers', 'refuses a workbook with %s'),
        ],
      ],
      [
        '5.2.3',
        'unpacked size is checked before unpacking',
        [t('attacks/parsers', 'does not unpack a part beyond its declared')],
      ],
      ['5.3.1', 'uploaded files are never run', [t('attacks/files-on-disk', '')]],
      ['5.3.2', 'paths do not come from users', [t('attacks/files-on-disk', '')]],
      [
        '5.4.1',
        'a download has a file name of ours',
        [
          t('portal/qr-sheets', 'prints at most 600 codes on a sheet'),
          t('portal/accesses', 'shows refused acts and files to owners'),
        ],
      ],
      ['5.4.2', 'file names in headers are encoded', [t('payment-requests/documents/links', '')]],
      [
        '5.4.3',
        'files of others are scanned for malware',
        'uploads are parsed and never served again; logos are redrawn. No scanner is called',
      ],
    ],
  },
  {
    title: 'Authentication (V6)',
    rows: [
      ['6.1.1', 'throttles and lock-out are documented', [t('docs', '')]],
      [
        '6.1.2',
        'words that passwords must not be are listed',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      ['6.1.3', 'ways to sign in are documented', [t('docs', '')]],
      [
        '6.2.1',
        'passwords have a least length',
        [t('portal/passwords', 'requires at least twelve characters')],
      ],
      [
        '6.2.2',
        'a person can change their password',
        [t('portal/people', 'lists a user’s sessions and ends one; a new')],
      ],
      [
        '6.2.3',
        'a change asks for the current password',
        [t('portal/people', 'lists a user’s sessions and ends one; a new')],
      ],
      [
        '6.2.4',
        'common passwords are refused',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      [
        '6.2.5',
        'any characters may be in a password',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      ['6.2.6', 'fields of passwords hide them', [t('portal/every-page-account', '')]],
      ['6.2.7', 'pasting and password managers work', [t('portal/by-keyboard', '')]],
      [
        '6.2.8',
        'passwords are verified as they are sent',
        'they are normalised to NFC, so that one keyboard types what another did',
      ],
      [
        '6.2.9',
        'passwords may have 64 characters',
        [t('portal/passwords', 'requires at least twelve characters')],
      ],
      [
        '6.2.10',
        'passwords do not expire',
        [t('portal/people', 'refuses the last four passwords, on the page')],
      ],
      [
        '6.2.11',
        'listed words are refused',
        [t('portal/passwords', 'accepts a phrase of several words')],
      ],
      [
        '6.3.1',
        'guessing is bounded',
        [lockOut, t('portal/people', 'accepts ten code attempts, then blocks')],
      ],
      [
        '6.3.2',
        'a second factor is needed',
        [t('portal/production', 'admits %s in production only with a second')],
      ],
      [
        '6.3.3',
        'no way in is weaker than another',
        [t('portal/passkeys', 'proves identity with a passkey; refuses')],
      ],
      [
        '6.4.1',
        'first secrets are random, short-lived and replaced',
        [t('portal/invitations', 'accepts an invitation for seven days, then')],
      ],
      ['6.4.2', 'there are no secret questions', [t('portal/every-page-account', '')]],
      [
        '6.4.3',
        'a reset keeps the second factor',
        [t('portal/people', 'ends all sessions on a reset, and answers')],
      ],
      [
        '6.4.4',
        'a lost factor is proved again',
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
      ['6.5.2', 'recovery codes are hashed', [t('attacks/database-dump', '')]],
      [
        '6.5.3',
        'codes come from a secure generator',
        [t('portal/passkeys', 'issues ten recovery codes with the first')],
      ],
      [
        '6.5.4',
        'codes have at least 20 bits',
        [t('portal/passkeys', 'issues ten recovery codes with the first')],
      ],
      [
        '6.5.5',
        'codes by time live 30 seconds',
        'one step before and after is taken for clocks that differ',
      ],
      ['6.6.1', 'no codes by telephone', [t('portal/every-page-account', '')]],
      [
        '6.6.2',
        'a challenge is of one request',
        [t('portal/passkeys', 'binds a challenge to one session')],
      ],
      [
        '6.6.3',
        'codes cannot be guessed',
        [t('portal/people', 'accepts ten code attempts, then blocks')],
      ],
      [
        '6.8.1',
        'an identity is known by its provider and its id there',
        [t('portal/provider', 'keeps an account from whom the provider gives')],
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
      ['7.1.1', 'lifetimes are documented', [t('docs', '')]],
      ['7.1.2', 'sessions at the same time are documented', [t('docs', '')]],
      ['7.1.3', 'federated sessions are documented', [t('docs', '')]],
      [
        '7.2.1',
        'the server verifies sessions',
        [t('portal/sign-in', 'signs a user out for good, with the same')],
      ],
      [
        '7.2.2',
        'session tokens are made for each session',
        [t('portal/people', 'opens nothing before the second factor')],
      ],
      [
        '7.2.3',
        'session tokens have 128 random bits',
        [t('portal/sign-in', 'stores no session secret, and only an')],
      ],
      [
        '7.2.4',
        'signing in makes a new token',
        [t('portal/people', 'opens nothing before the second factor')],
      ],
      [
        '7.3.1',
        'unused sessions end',
        [t('portal/sign-in', 'ends a session after 15 idle minutes or 12')],
      ],
      [
        '7.3.2',
        'sessions end after a time',
        [t('portal/sign-in', 'ends a session after 15 idle minutes or 12')],
      ],
      [
        '7.4.1',
        'signing out ends the session',
        [t('portal/sign-in', 'signs a user out for good, with the same')],
      ],
      [
        '7.4.2',
        'suspending a person ends their sessions',
        [t('portal/people', 'keeps a user suspended who was suspended')],
      ],
      [
        '7.4.3',
        'a changed factor ends other sessions',
        [t('portal/people', 'lists a user’s sessions and ends one; a new')],
      ],
      ['7.4.4', 'each page has a way out', [t('portal/every-page-account', '')]],
      [
        '7.4.5',
        'operators end a person’s sessions',
        [t('portal/sign-in', 'lets an operator end a person’s sessions')],
      ],
      [
        '7.5.1',
        'changes of factors ask for a fresh proof',
        [t('portal/passkeys', 'requires a fresh proof to add or remove')],
      ],
      [
        '7.5.2',
        'a person sees and ends sessions',
        [t('portal/people', 'lists a user’s sessions and ends one; a new')],
      ],
      [
        '7.6.1',
        'federated sessions end together',
        'a session here lasts 12 hours at most, whatever the provider’s does',
      ],
      [
        '7.6.2',
        'no session begins without an act',
        [t('portal/sign-in', 'varies form tokens in each answer, and sends')],
      ],
    ],
  },
  {
    title: 'Access control (V8)',
    rows: [
      ['8.1.1', 'who may do what is documented', [t('docs', '')]],
      ['8.1.2', 'who may see and change which field is documented', [t('docs', '')]],
      ['8.2.1', 'acts are allowed by role', [acts]],
      ['8.2.2', 'data is reached by its owner alone', [otherAccounts]],
      [
        '8.2.3',
        'fields are reached by who may',
        [t('attacks/card-numbers', 'shows a key without read permission only id')],
      ],
      ['8.3.1', 'the server decides', [acts]],
      [
        '8.4.1',
        'tenants are kept apart',
        [otherAccounts, t('attacks/card-numbers', 'refuses one account’s card ciphertext')],
      ],
    ],
  },
  {
    title: 'Logging (V16)',
    rows: [
      ['16.1.1', 'what is logged where is documented', [t('docs', '')]],
      [
        '16.2.1',
        'lines say when, where, who and what',
        [
          t('attacks/calls', 'logs account, key id and address of a call'),
          t('portal/accesses', 'logs user and account of each portal request'),
        ],
      ],
      [
        '16.2.2',
        'times have a zone',
        [t('attacks/calls', 'logs account, key id and address of a call')],
      ],
      ['16.2.3', 'logs go where it is documented', [t('docs', '')]],
      [
        '16.2.4',
        'lines can be read by programs',
        [t('attacks/calls', 'logs account, key id and address of a call')],
      ],
      [
        '16.2.5',
        'secrets and cards are not logged',
        [
          t('attacks/card-texts', 'masks card numbers in every log line'),
          t('attacks/calls', 'logs account, key id and address of a call'),
        ],
      ],
      [
        '16.3.1',
        'sign-ins are recorded, failed ones too',
        [t('portal/accesses', 'counts a person’s failed sign-ins in one')],
      ],
      [
        '16.3.2',
        'refused acts are recorded',
        [t('portal/accesses', 'shows refused acts and files to owners')],
      ],
      [
        '16.3.3',
        'attempts to get around controls are recorded',
        [
          t('portal/accesses', 'sends one e-mail to a user locked out'),
          t('attacks/card-attempts', 'delays card testing over many requests'),
        ],
      ],
      ['16.3.4', 'unexpected errors are logged', [t('platform/http/error-bodies', '')]],
      [
        '16.4.1',
        'logs cannot be injected into',
        [t('attacks/calls', 'uses the connection’s address if the header has no')],
      ],
      [
        '16.4.2',
        'logs cannot be changed',
        'events are sealed; lines of the log are the operator’s to protect',
      ],
      [
        '16.4.3',
        'logs go to another system',
        'the operator ships stderr; the service sends nothing itself',
      ],
      ['16.5.1', 'errors tell nothing of the inside', [fuzz, t('platform/http/error-bodies', '')]],
      ['16.5.2', 'it goes on when others fail', [t('failure/connectors', '')]],
      ['16.5.3', 'it fails closed', [histories]],
    ],
  },
];

function proofText(proof: AsvsRow[2]): string {
  if (typeof proof === 'string') return `open: ${proof}`;
  if ('absent' in proof) return `does not apply: ${proof.absent}`;
  return proof
    .map(([file, name]) => `\`test/${file}.test.ts\`${name === '' ? '' : `: ${name} …`}`)
    .join('; ');
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
      '| Number | Asks that | Proof |',
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
