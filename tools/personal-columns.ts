/** Columns of one table that can hold text or bytes. */
interface Classes {
  /** `payers erase` removes a person's data from them. */
  erased?: readonly string[];
  /** A person's data can be in them and stays, with the reason. */
  kept?: Record<string, string>;
  /** Codes, ids, keys, and texts of the service or about accounts and staff. */
  never?: readonly string[];
}

const ownId = "The account's own id, sealed, and the key by which it finds the row";
const operatorNote = 'A sealed note of the operator about its books: write no names in it';
const ofRegister = 'The tax authority publishes its registers by CUIT';
const untilProcessed = 'An upload until it is processed';

/** Every column that can hold text or bytes, by table. A test compares it with the schema. */
export const personalColumns: Record<string, Classes> = {
  account_logos: { never: ['hash', 'content'] },
  account_plans: { never: ['brand'] },
  accounts: {
    never: [
      ...['id', 'name', 'cuit', 'city', 'payout_cbu', 'next_payout_cbu', 'settings', 'look'],
      'asked_look',
    ],
  },
  anchors: { never: ['hash'] },
  api_calls: { never: ['method', 'path'] },
  api_keys: { never: ['hash', 'name', 'prefix', 'permissions', 'ranges'] },
  attempts: { erased: ['details', 'action'], never: ['reference', 'channel', 'connector'] },
  batch_chunks: { kept: { bytes: untilProcessed } },
  batch_pages: { kept: { rows: 'Ids of QRs and faults of their fields' } },
  batches: { never: ['error', 'version', 'webhook_url'] },
  calendar_days: { never: ['kind'] },
  card_bins: { never: ['prefix'] },
  card_holds: { never: ['reference'] },
  card_transport_keys: { never: ['vault_key_id', 'ciphertext'] },
  card_tries: { never: ['subject'] },
  charge_references: { never: ['connector', 'reference'] },
  connector_alarms: { never: ['connector', 'channel', 'kind', 'message'] },
  connector_calls: { never: ['connector', 'id'] },
  connector_letters: {
    erased: ['body', 'fault'],
    kept: { note: operatorNote },
    never: ['connector', 'digest', 'decided_by'],
  },
  corrections: { kept: { reference: operatorNote, note: operatorNote } },
  daily_totals: { never: ['channel'] },
  debit_runs: { never: ['code'] },
  deliveries: { never: ['entity', 'entity_id'] },
  delivery_attempts: { never: ['error'] },
  disputes: { erased: ['reason'], never: ['connector', 'name'] },
  events: {
    erased: ['data'],
    never: ['entity', 'entity_id', 'type', 'actor'],
  },
  fees: { never: ['channel'] },
  former_withholding_rates: { kept: { cuit: ofRegister }, never: ['regime', 'jurisdiction'] },
  idempotency_keys: {
    erased: ['body'],
    kept: { key: 'The key of the caller, 25 hours' },
    never: ['path', 'fingerprint'],
  },
  import_files: { kept: { bytes: 'The file of a draft, which must be decided before an erasure' } },
  import_headings: { never: ['kind', 'heading', 'field'] },
  import_pages: { erased: ['rows', 'faults', 'outcomes'], never: ['existing', 'withdrawn'] },
  imports: {
    erased: ['way'],
    kept: { file_name: 'The name that the account gave its file' },
    never: ['sha256', 'columns', 'notes', 'matched', 'actor', 'comment', 'error'],
  },
  installment_plans: { never: ['brand'] },
  journals: { never: ['kind', 'cause'] },
  kept_cards: {
    erased: ['signing'],
    never: ['connector', 'reference', 'bin', 'network_transaction_id'],
  },
  ledger_days: { never: ['kind'] },
  mails: {
    erased: ['recipient', 'mailbox', 'subject', 'body', 'refusal'],
    never: ['link_kind'],
  },
  mandate_instruments: { erased: ['cbu'], never: ['kind', 'card_key_id', 'card_ciphertext'] },
  mandates: {
    erased: ['evidence', 'holder', 'email', 'description', 'payer', 'cbu', 'details'],
    kept: { reference: ownId, card_ciphertext: 'Encrypted; erased after CARD_REVERSAL_DAYS' },
    never: ['state', 'state_comment', 'card_key_id'],
  },
  memberships: { never: ['notices'] },
  migrations: { never: ['name', 'checksum'] },
  money_alarms: {
    kept: { note: operatorNote },
    never: ['kind', 'fact', 'message', 'connector', 'closed_by', 'closing_stamp'],
  },
  moved_in: { kept: { old_id: 'The id of the row in the former system' } },
  network_charges: { never: ['connector', 'trx'] },
  operator_events: {
    kept: { data: operatorNote },
    never: ['entity', 'entity_id', 'type', 'actor'],
  },
  outbox: { never: ['entity', 'entity_id'] },
  payer_mail_stops: { erased: ['address'] },
  payer_mail_texts: { never: ['subject', 'body'] },
  payer_mails: { erased: ['bounce', 'recipient'], never: ['reason'] },
  payout_files: { never: ['reference'] },
  payout_transfers: { never: ['holder', 'cuit'] },
  payouts: { never: ['reference', 'cbu', 'return_reason'] },
  proposals: {
    erased: ['terms', 'reason'],
    kept: { reference: operatorNote },
    never: ['outcome'],
  },
  rail_files: { never: ['rail', 'name', 'sha256', 'summary'] },
  rail_lines: { never: ['remarks', 'code', 'reject_code', 'note'] },
  rail_uploads: {
    kept: { ciphertext: 'Encrypted, for UPLOAD_RETENTION_HOURS' },
    never: ['rail', 'name', 'sha256', 'key_id'],
  },
  reconciliation_findings: { never: ['connector', 'what'] },
  reconciliations: { never: ['connector'] },
  refunds: {
    erased: ['cbu', 'comment'],
    never: ['reference'],
  },
  registers: { never: ['sha256', 'name'] },
  request_states: { never: ['kind', 'state'] },
  request_words: { erased: ['words'] },
  requests: {
    erased: ['state_comment', 'payer', 'description', 'details'],
    kept: { reference: ownId },
    never: ['kind', 'state', 'code'],
  },
  results: {
    erased: ['payer', 'description', 'details'],
    kept: { reference: ownId },
    never: ['source', 'source_ref', 'channel', 'channel_label'],
  },
  saved_filters: {
    kept: { query: 'The search of a member of the staff, in their own filter' },
    never: ['list', 'name'],
  },
  seal_keys: { never: ['id', 'vault_key_id', 'ciphertext'] },
  seal_links: { never: ['key_id', 'hash'] },
  seals: { never: ['kind', 'keys', 'digests'] },
  service_keys: { never: ['vault_key_id', 'ciphertext'] },
  settlement_lines: { never: ['connector', 'name', 'attempt', 'trx'] },
  settlement_payouts: { never: ['connector', 'name'] },
  simulated_charges: { never: ['digest', 'token', 'outcome'] },
  simulated_refunds: { never: ['digest', 'outcome'] },
  simulated_reversals: { never: ['source_ref'] },
  static_qrs: {
    kept: {
      description: 'The account writes it on its own QR, which stays valid for good',
      payer: 'The account writes it on its own QR, which stays valid for good',
    },
    never: ['id', 'name', 'city', 'postal_code', 'payload'],
  },
  static_transactions: { never: ['static_id'] },
  suspense: {
    erased: ['note'],
    never: [
      ...['reason', 'source', 'source_ref', 'channel', 'channel_label', 'code', 'to_account_id'],
    ],
  },
  sweep_runs: { never: ['name', 'error'] },
  transfer_accounts: {
    kept: { cvu: 'Late transfers must find their request' },
    never: ['connector'],
  },
  user_accesses: { never: ['fold', 'address', 'detail'] },
  user_challenges: { never: ['challenge'] },
  user_devices: { never: ['hash'] },
  user_identities: { never: ['issuer', 'subject'] },
  user_passkeys: { never: ['credential_id', 'public_key', 'transports', 'name'] },
  user_recovery_codes: { never: ['hash'] },
  user_sessions: { never: ['hash', 'address', 'user_agent'] },
  user_tries: { never: ['subject', 'person'] },
  users: {
    never: [
      ...['email', 'email_key', 'name', 'password_hash', 'former_hashes', 'totp_key_id'],
      'totp_ciphertext',
    ],
  },
  webhooks: { never: ['url', 'only_entity', 'only_entity_id'] },
  withholding_rates: { kept: { cuit: ofRegister }, never: ['regime', 'jurisdiction'] },
  withholdings: { never: ['regime', 'jurisdiction', 'certificate'] },
};

const freeType = /^ {2}(\w+) (?:text|text\[\]|json|jsonb|bytea|bytea\[\]|tsvector)\b/;
const listed = /CHECK \(\((\w+) = ANY/g;

/** Returns the columns that can hold free text or bytes, as `table.column`, from schema.sql. */
export function freeColumns(schema: string): string[] {
  const tables = schema.split(/^table /m).slice(1);
  return tables.flatMap((text) => {
    const [table = '', ...lines] = text.split('\n');
    const listedHere = [...text.matchAll(listed)].map(([, column]) => column ?? '');
    const skipped = new Set([...listedHere, 'account_id', 'stamp']);
    return lines
      .map((line) => freeType.exec(line)?.[1] ?? '')
      .filter((column) => column !== '' && !skipped.has(column))
      .map((column) => `${table}.${column}`);
  });
}

const classesOf = ({ erased = [], kept = {}, never = [] }: Classes): string[] => [
  ...erased,
  ...Object.keys(kept),
  ...never,
];

/**
 * Renders the tables of docs/reference/personal-columns.md. Throws if a column is not classified,
 * or is classified twice.
 */
export function personalColumnsTable(schema: string): string {
  const free = freeColumns(schema);
  const named = Object.entries(personalColumns).flatMap(([table, classes]) =>
    classesOf(classes).map((column) => `${table}.${column}`),
  );
  const missing = free.filter((name) => !named.includes(name));
  const extra = named.filter(
    (name, index) => !free.includes(name) || named.indexOf(name) !== index,
  );
  if (missing.length + extra.length > 0) {
    throw new Error(
      `tools/personal-columns.ts: not classified: ${missing}; unknown or twice: ${extra}`,
    );
  }
  const all = Object.entries(personalColumns);
  const code = (columns: readonly string[]): string =>
    columns.map((column) => `\`${column}\``).join(', ');
  const erased = all
    .filter(([, { erased: columns = [] }]) => columns.length > 0)
    .map(([table, { erased: columns = [] }]) => `| \`${table}\` | ${code(columns)} |`);
  const kept = all.flatMap(([table, { kept: columns = {} }]) =>
    Object.entries(columns).map(([column, why]) => `| \`${table}.${column}\` | ${why} |`),
  );
  const never = all
    .filter(([, { never: columns = [] }]) => columns.length > 0)
    .map(([table, { never: columns = [] }]) => `| \`${table}\` | ${code(columns)} |`);
  return [
    '## Erased',
    `| Table | Columns |\n| --- | --- |\n${erased.join('\n')}`,
    '## Kept',
    `| Column | Why |\n| --- | --- |\n${kept.join('\n')}`,
    '## Without data of payers',
    `| Table | Columns |\n| --- | --- |\n${never.join('\n')}`,
  ].join('\n\n');
}
