/**
 * Retention period of each table's rows, and the payers' data in them. A test compares it with the
 * schema.
 */
export const retention: Record<string, { age: string; payer: string }> = {
  account_logos: { age: 'For good, or until the account changes it', payer: '—' },
  account_plans: { age: 'For good, or until the account changes it', payer: '—' },
  account_writes: { age: 'One row per subject, overwritten', payer: '—' },
  accounts: { age: 'For good, or until the account changes it', payer: '—' },
  anchors: { age: 'For good: the proof of the books', payer: '—' },
  api_calls: {
    age: '14 days, and at most 100,000 calls per account',
    payer: 'None: paths without values',
  },
  api_calls_left_out: {
    age: '14 days, and at most 100,000 calls per account',
    payer: 'None: paths without values',
  },
  api_keys: { age: 'For good, or until the account changes it', payer: '—' },
  attempts: { age: 'For good: the books refer to them', payer: '`payers erase` removes it' },
  balance_deltas: { age: 'Until folded into balances: moments', payer: '—' },
  balances: { age: 'For good: the books', payer: '—' },
  batch_chunks: { age: 'Until the upload is processed; the same in S3', payer: 'Until then' },
  batch_pages: { age: 'For good', payer: 'Ids and faults' },
  batches: { age: 'For good', payer: 'Ids and faults' },
  calendar_days: { age: 'Until replaced', payer: '—' },
  card_bins: { age: 'Until replaced', payer: '—' },
  card_holds: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  card_transport_keys: { age: 'A month; the last one 7 more days', payer: '—' },
  card_tries: { age: 'An hour; the next rejection deletes older ones', payer: 'Salted digests' },
  charge_references: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  clock: { age: 'One row per subject, overwritten', payer: '—' },
  closed_books: { age: 'One row per subject, overwritten', payer: '—' },
  connector_alarms: { age: 'Until `connectors resume`', payer: '—' },
  connector_calls: { age: 'Minutes: as long as a signature is valid', payer: '—' },
  connector_letters: {
    age: 'For good',
    payer: '`payers erase` empties decided ones that contain the number or an address',
  },
  corrections: { age: 'For good: the books', payer: '—' },
  daily_total_marks: { age: 'One row per subject, overwritten', payer: '—' },
  daily_totals: { age: 'For good: the books', payer: '—' },
  debit_runs: { age: 'For good: like the requests', payer: '—' },
  deliveries: {
    age: 'EVENT_RETENTION_DAYS after their end',
    payer: 'None: the service builds bodies when it sends them',
  },
  delivery_attempts: {
    age: 'EVENT_RETENTION_DAYS after their end',
    payer: 'None: the service builds bodies when it sends them',
  },
  deployment: { age: 'For good: one row', payer: '—' },
  disputes: {
    age: 'For good: the books refer to them',
    payer: 'Reasons of acquirers; `payers erase` removes them',
  },
  events: {
    age: 'For good: sealed',
    payer: 'References of the account; `payers erase` removes comments and reasons',
  },
  fees: { age: 'For good, or until the account changes it', payer: '—' },
  folded_notices: { age: 'The e-mails of a day; the row for good', payer: '—' },
  former_withholding_rates: {
    age: 'For good: they prove withholdings',
    payer: 'CUITs of the tax authority’s registers, without names',
  },
  id_timeline: { age: 'One row per subject, overwritten', payer: '—' },
  idempotency_keys: { age: '25 hours', payer: '`payers erase` removes it' },
  import_files: {
    age: 'Until the draft is decided, 30 days at most',
    payer: 'Deleted with the draft; `payers erase` requires a decision on it first',
  },
  import_headings: { age: 'For good', payer: '—' },
  import_pages: { age: 'For good; 30 days for drafts', payer: '`payers erase` removes it' },
  imports: { age: 'For good', payer: '—' },
  installment_plans: { age: 'Until replaced', payer: '—' },
  journals: { age: 'For good: the books', payer: '—' },
  kept_cards: {
    age: 'Until the connector confirms that it forgot the card; the row stays',
    payer: 'Evidence in transit; `payers erase` removes it',
  },
  ledger_day_marks: { age: 'One row per subject, overwritten', payer: '—' },
  ledger_days: { age: 'For good: the books', payer: '—' },
  mails: {
    age: 'MAIL_RETENTION_DAYS after they were sent; failed ones for good',
    payer: '`payers erase` removes it',
  },
  mandate_instruments: {
    age: 'For good: debits refer to them',
    payer: '`payers erase` removes it; card numbers are erased after CARD_REVERSAL_DAYS',
  },
  mandates: {
    age: 'For good: debits refer to them',
    payer: '`payers erase` removes it; card numbers are erased after CARD_REVERSAL_DAYS',
  },
  memberships: { age: 'For good, or until the account changes it', payer: '—' },
  migrations: { age: 'For good', payer: '—' },
  money_alarms: { age: 'For good', payer: '—' },
  moved_in: { age: 'For good: they prevent a second import', payer: '—' },
  network_charges: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  notice_marks: { age: 'For good, or until the account changes it', payer: '—' },
  operator_events: { age: 'For good: the proof of the books', payer: '—' },
  outbox: { age: 'Until placed in the feed: seconds', payer: '—' },
  payer_mail_marks: { age: 'For good, or until the account changes it', payer: '—' },
  payer_mail_settings: { age: 'For good, or until the account changes it', payer: '—' },
  payer_mail_stops: { age: 'For good', payer: '`payers erase` removes it' },
  payer_mail_texts: { age: 'For good, or until the account changes it', payer: '—' },
  payer_mails: { age: 'For good', payer: '`payers erase` removes it' },
  payout_files: { age: 'For good: the books', payer: '—' },
  payout_transfers: { age: 'For good: the books', payer: '—' },
  payouts: { age: 'For good: the books', payer: '—' },
  proposals: { age: 'For good: the books refer to them', payer: '`payers erase` removes it' },
  rail_files: { age: 'For good: they prove what was booked', payer: 'Ids and amounts' },
  rail_lines: { age: 'For good: they prove what was booked', payer: 'Ids and amounts' },
  rail_uploads: { age: 'UPLOAD_RETENTION_HOURS', payer: 'Encrypted, for that time' },
  reconciliation_findings: {
    age: 'For good; comparing a day again replaces its rows',
    payer: '—',
  },
  reconciliations: { age: 'For good; comparing a day again replaces its rows', payer: '—' },
  refunds: { age: 'For good: the books refer to them', payer: '`payers erase` removes it' },
  registers: {
    age: 'For good: they prove withholdings',
    payer: 'CUITs of the tax authority’s registers, without names',
  },
  replica_marks: { age: 'One row per subject, overwritten', payer: '—' },
  request_openings: { age: 'For good', payer: '—' },
  request_states: { age: 'For good: like the requests', payer: '—' },
  request_word_marks: { age: 'One row per subject, overwritten', payer: '—' },
  request_words: { age: 'For good: derived from requests', payer: '`payers erase` removes it' },
  requests: { age: 'For good: the books refer to them', payer: '`payers erase` removes it' },
  results: { age: 'For good: the books refer to them', payer: '`payers erase` removes it' },
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
  simulated_charges: { age: 'For good; only in the sandbox', payer: '—' },
  simulated_refunds: { age: 'For good; only in the sandbox', payer: '—' },
  simulated_reversals: { age: 'For good; only in the sandbox', payer: '—' },
  static_qrs: { age: 'For good', payer: 'What the account wrote on its own QR' },
  static_transactions: { age: 'For good', payer: 'What the account wrote on its own QR' },
  suspense: {
    age: 'For good: the books refer to them',
    payer: 'Ids and amounts; notes, which `payers erase` removes',
  },
  sweep_runs: { age: 'One row per subject, overwritten', payer: '—' },
  transfer_accounts: {
    age: 'For good: late transfers must find their request',
    payer: 'A CVU of the request',
  },
  unwanted_approvals: { age: 'For good: the books refer to them', payer: 'Ids and amounts' },
  user_accesses: { age: '400 days', payer: '—' },
  user_challenges: { age: '5 minutes', payer: '—' },
  user_devices: { age: 'The newest per person', payer: '—' },
  user_identities: { age: 'Until `users unlink`', payer: '—' },
  user_links: {
    age: '7 days to open an invitation, 30 minutes for a reset; the row for good',
    payer: '—',
  },
  user_passkeys: { age: 'Until the person removes it', payer: '—' },
  user_recovery_codes: { age: 'Until the person removes it', payer: '—' },
  user_sessions: { age: '12 hours; the row until the next sign-in', payer: '—' },
  user_tries: { age: 'The time of a lockout; the next failure deletes older ones', payer: '—' },
  users: { age: 'For good', payer: '—' },
  webhooks: { age: 'For good; deleted ones EVENT_RETENTION_DAYS', payer: '—' },
  withholding_rates: {
    age: 'For good: they prove withholdings',
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
