/**
 * Retention period of each table's rows, and the payers' data in them. A test compares it with the
 * schema.
 */
export const retention: Record<string, { age: string; payer: string }> = {
  account_logos: { age: 'For good, or until the account changes it', payer: '—' },
  account_plans: { age: 'For good, or until the account changes it', payer: '—' },
  account_writes: { age: 'One row for each subject, written over', payer: '—' },
  accounts: { age: 'For good, or until the account changes it', payer: '—' },
  anchors: { age: 'For good: the proof of the books', payer: '—' },
  api_calls: {
    age: '14 days, 100,000 calls of an account at most',
    payer: 'None: paths without values',
  },
  api_calls_left_out: {
    age: '14 days, 100,000 calls of an account at most',
    payer: 'None: paths without values',
  },
  api_keys: { age: 'For good, or until the account changes it', payer: '—' },
  attempts: { age: 'For good: the books refer to them', payer: '`payers erase` takes it out' },
  balance_deltas: { age: 'Until folded into balances, moments', payer: '—' },
  balances: { age: 'For good: the books', payer: '—' },
  batch_chunks: { age: 'Until the upload is processed; of S3 likewise', payer: 'Until then' },
  batch_pages: { age: 'For good', payer: 'Ids and faults' },
  batches: { age: 'For good', payer: 'Ids and faults' },
  calendar_days: { age: 'Until replaced', payer: '—' },
  card_bins: { age: 'Until replaced', payer: '—' },
  card_holds: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  card_transport_keys: { age: 'A month, and the last one 7 more days', payer: '—' },
  card_tries: { age: 'An hour; older ones go with the next refusal', payer: 'Salted digests' },
  charge_references: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  clock: { age: 'One row for each subject, written over', payer: '—' },
  closed_books: { age: 'One row for each subject, written over', payer: '—' },
  connector_alarms: { age: 'Until `connectors resume`', payer: '—' },
  connector_calls: { age: 'Minutes: as long as a signature is valid', payer: '—' },
  connector_letters: {
    age: 'For good',
    payer: '`payers erase` empties decided ones that have the number or an address',
  },
  corrections: { age: 'For good: the books', payer: '—' },
  daily_total_marks: { age: 'One row for each subject, written over', payer: '—' },
  daily_totals: { age: 'For good: the books', payer: '—' },
  debit_runs: { age: 'For good: follows the requests', payer: '—' },
  deliveries: {
    age: 'EVENT_RETENTION_DAYS behind their end',
    payer: 'None: bodies are made as they are sent',
  },
  delivery_attempts: {
    age: 'EVENT_RETENTION_DAYS behind their end',
    payer: 'None: bodies are made as they are sent',
  },
  disputes: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  events: {
    age: 'For good: sealed',
    payer: 'None by itself; references and comments are the account’s own',
  },
  fees: { age: 'For good, or until the account changes it', payer: '—' },
  folded_notices: { age: 'A day of letters; the row for good', payer: '—' },
  former_withholding_rates: {
    age: 'For good: withholdings are proved by them',
    payer: 'CUITs of the tax authority’s registers, without names',
  },
  idempotency_keys: { age: '25 hours', payer: '`payers erase` takes it out' },
  import_files: {
    age: 'Until the draft is decided, 30 days at most',
    payer: 'Goes with the draft, which `payers erase` asks to decide first',
  },
  import_headings: { age: 'For good', payer: '—' },
  import_pages: { age: 'For good; of drafts 30 days', payer: '`payers erase` takes it out' },
  imports: { age: 'For good', payer: '—' },
  installment_plans: { age: 'Until replaced', payer: '—' },
  journals: { age: 'For good: the books', payer: '—' },
  kept_cards: {
    age: 'Until the connector says that it forgot the card; the row stays',
    payer: 'Evidence on its way; `payers erase` takes it out',
  },
  ledger_day_marks: { age: 'One row for each subject, written over', payer: '—' },
  ledger_days: { age: 'For good: the books', payer: '—' },
  mails: {
    age: 'MAIL_RETENTION_DAYS behind the day they were sent; failed ones for good',
    payer: '`payers erase` takes it out',
  },
  mandate_instruments: {
    age: 'For good: debits refer to them',
    payer: '`payers erase` takes it out; card numbers go after CARD_REVERSAL_DAYS',
  },
  mandates: {
    age: 'For good: debits refer to them',
    payer: '`payers erase` takes it out; card numbers go after CARD_REVERSAL_DAYS',
  },
  memberships: { age: 'For good, or until the account changes it', payer: '—' },
  migrations: { age: 'For good', payer: '—' },
  money_alarms: { age: 'For good', payer: '—' },
  moved_in: { age: 'For good: what was moved is not moved twice', payer: '—' },
  network_charges: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  notice_marks: { age: 'For good, or until the account changes it', payer: '—' },
  operator_events: { age: 'For good: the proof of the books', payer: '—' },
  outbox: { age: 'Until placed in the feed, seconds', payer: '—' },
  payer_mail_marks: { age: 'For good, or until the account changes it', payer: '—' },
  payer_mail_settings: { age: 'For good, or until the account changes it', payer: '—' },
  payer_mail_stops: { age: 'For good', payer: '`payers erase` takes it out' },
  payer_mail_texts: { age: 'For good, or until the account changes it', payer: '—' },
  payer_mails: { age: 'For good', payer: '`payers erase` takes it out' },
  payout_files: { age: 'For good: the books', payer: '—' },
  payout_transfers: { age: 'For good: the books', payer: '—' },
  payouts: { age: 'For good: the books', payer: '—' },
  proposals: { age: 'For good: the books refer to them', payer: '`payers erase` takes it out' },
  rail_files: { age: 'For good: proof of what was booked', payer: 'Ids and amounts' },
  rail_lines: { age: 'For good: proof of what was booked', payer: 'Ids and amounts' },
  rail_uploads: { age: 'UPLOAD_RETENTION_HOURS', payer: 'Encrypted, for that time' },
  reconciliation_findings: {
    age: 'For good; a day that is compared again replaces its own',
    payer: '—',
  },
  reconciliations: { age: 'For good; a day that is compared again replaces its own', payer: '—' },
  refunds: { age: 'For good: the books refer to them', payer: '`payers erase` takes it out' },
  registers: {
    age: 'For good: withholdings are proved by them',
    payer: 'CUITs of the tax authority’s registers, without names',
  },
  replica_marks: { age: 'One row for each subject, written over', payer: '—' },
  request_openings: { age: 'For good', payer: '—' },
  request_states: { age: 'For good: follows the requests', payer: '—' },
  request_word_marks: { age: 'One row for each subject, written over', payer: '—' },
  request_words: { age: 'For good: follows from requests', payer: '`payers erase` takes it out' },
  requests: { age: 'For good: the books refer to them', payer: '`payers erase` takes it out' },
  results: { age: 'For good: the books refer to them', payer: '`payers erase` takes it out' },
  saved_filters: {
    age: 'Until the person removes it',
    payer: 'Names that staff searched for, in their own filters',
  },
  seal_keys: { age: 'For good: the proof of the books', payer: '—' },
  seal_links: { age: 'For good: the proof of the books', payer: '—' },
  seal_marks: { age: 'For good: the proof of the books', payer: '—' },
  seals: { age: 'For good: the proof of the books', payer: '—' },
  service_keys: { age: 'For good; the key itself until it is retired', payer: '—' },
  settlement_lines: { age: 'For good: the books', payer: '—' },
  settlement_payouts: { age: 'For good: the books', payer: '—' },
  simulated_charges: { age: 'For good; in the sandbox alone', payer: '—' },
  simulated_refunds: { age: 'For good; in the sandbox alone', payer: '—' },
  simulated_reversals: { age: 'For good; in the sandbox alone', payer: '—' },
  static_qrs: { age: 'For good', payer: 'What the account wrote on its own QR' },
  static_transactions: { age: 'For good', payer: 'What the account wrote on its own QR' },
  suspense: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  sweep_runs: { age: 'One row for each subject, written over', payer: '—' },
  transfer_accounts: {
    age: 'For good: late transfers find their request',
    payer: 'A CVU of the request',
  },
  unwanted_approvals: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  user_accesses: { age: '400 days', payer: '—' },
  user_challenges: { age: '5 minutes', payer: '—' },
  user_devices: { age: 'The newest of a person', payer: '—' },
  user_identities: { age: 'Until `users unlink`', payer: '—' },
  user_links: {
    age: '7 days to open an invitation, 30 minutes for a reset; the row for good',
    payer: '—',
  },
  user_passkeys: { age: 'Until the person removes it', payer: '—' },
  user_recovery_codes: { age: 'Until the person removes it', payer: '—' },
  user_sessions: { age: '12 hours; the row until the next sign-in', payer: '—' },
  user_tries: { age: 'A lock-out; older ones go with the next failure', payer: '—' },
  users: { age: 'For good', payer: '—' },
  webhooks: { age: 'For good; deleted ones EVENT_RETENTION_DAYS', payer: '—' },
  withholding_rates: {
    age: 'For good: withholdings are proved by them',
    payer: 'CUITs of the tax authority’s registers, without names',
  },
  withholdings: { age: 'For good: the books', payer: '—' },
};

/**
 * Renders the table of docs/reference/retention.md. Throws if a table of the schema has no
 * retention period.
 */
export function retentionTable(tables: readonly string[]): string {
  const missing = tables.filter((name) => !(name in retention));
  const gone = Object.keys(retention).filter((name) => !tables.includes(name));
  if (missing.length + gone.length > 0) {
    throw new Error(`tools/retention.ts: without an age: ${missing}; not in the schema: ${gone}`);
  }
  const rows = Object.entries(retention).map(
    ([name, { age, payer }]) => `| \`${name}\` | ${age} | ${payer} |`,
  );
  return ['| Table | Kept | Data of payers |', '| --- | --- | --- |', ...rows].join('\n');
}
