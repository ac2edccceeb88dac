/**
 * Columns that the audit does not compare, each with the reason why a change moves no money and
 * misleads readers only briefly. A test changes every other column and expects the audit to name
 * it.
 */

/** Tables without any compared column. */
export const exemptTables: Record<string, string> = {
  account_logos: 'Pictures. The hash of the current one is sealed with the account.',
  account_plans: 'Installment plans that an account offers. Payments book the request’s amount.',
  account_writes: 'Marks of recent writes, which send reads to the primary.',
  anchors: 'A queue of links to publish. The receiver’s copy is the proof.',
  api_calls: 'The request log. No booking depends on it.',
  api_calls_left_out: 'A count of calls that the request log left out.',
  balance_deltas:
    'Folded into balances. The sealer compares each with its journals, and the audit compares the sums.',
  batch_chunks:
    'Parts of an upload until it is processed. The requests that it creates are sealed.',
  batch_pages: 'Results of an import’s items. The requests are sealed.',
  batches: 'Progress of an import. The requests that it creates are sealed.',
  card_bins: 'Card types by first digits: public data that a command reloads.',
  card_transport_keys:
    'Keys under which callers encrypt card numbers. A wrong one fails to decrypt.',
  card_tries: 'Hourly counts of refused and unanswered card payments.',
  clock: 'The clock of the sandbox. Production reads the clock of the machine.',
  closed_books:
    'The last closed day. A later day stops postings with 503. An earlier one changes nothing, because the clock dates postings.',
  connector_letters: 'Notices that this release cannot read. They move no money.',
  connector_alarms: 'Alarms about connections. Alarms about money are in money_alarms.',
  connector_calls: 'Ids of accepted notices. A repeated notice is compared with its payment.',
  daily_total_marks: 'Position of the totals. The audit compares the totals with the results.',
  deliveries: 'Queue and outcome of webhooks. The events are sealed.',
  delivery_attempts: 'Log of webhooks. The events are sealed.',
  deployment:
    'The environment, which every start and command compares with its own. No booking depends on it.',
  folded_notices: 'Number of e-mails to owners, and the content of a later one.',
  former_withholding_rates: 'Rates by taxpayer, for all accounts. Withheld amounts are sealed.',
  id_timeline: 'The timeline of the server that issued the last ids and positions.',
  idempotency_keys: 'First responses, for a day. A repeated call changes nothing.',
  import_files: 'Uploaded files, until a person confirms or discards the draft.',
  import_headings: 'Column headings of earlier spreadsheets. A person confirms each import.',
  import_pages: 'Results of an import’s rows. The requests are sealed.',
  imports: 'Progress of an import. The requests are sealed.',
  installment_plans:
    'Financing costs, from a migration. They are between the payer and the card issuer; the books have the request’s amount.',
  ledger_day_marks: 'Position of the daily sums. The audit compares the sums with the journals.',
  mails: 'E-mails in transit. Their links open pages that a key or password guards.',
  migrations: 'Checksums, which every start compares with the files.',
  moved_in: 'Former ids, for the next run of a move. The moved data is sealed.',
  notice_marks: 'Position of e-mails to people.',
  outbox: 'A queue of events for webhooks. The events are sealed.',
  payer_mail_marks: 'Position of e-mails to payers.',
  payer_mail_settings: 'E-mails that payers get.',
  payer_mail_stops: 'Payers who unsubscribed from e-mails.',
  payer_mail_texts: 'Texts of e-mails. Amounts and links come from the request.',
  payer_mails: 'E-mails to payers in transit. Amounts and links come from the request.',
  rail_uploads: 'Files that a person reviews before the import.',
  reconciliation_findings: 'Findings, which the audit lists itself.',
  reconciliations: 'Days compared with a connector, which can be compared again at any time.',
  registers: 'Imported registers of rates, for all accounts. Withheld amounts are sealed.',
  replica_marks: 'Marks that measure the lag of replicas.',
  request_openings: 'First openings of a checkout. The event is sealed.',
  request_word_marks: 'Position of the search index.',
  request_words: 'The search index. Results are read from the requests.',
  saved_filters: 'Filters of lists that a person saved.',
  seal_marks: 'Position of the sealer. The audit names an unsealed event before it.',
  seal_keys: 'Encrypted keys of seals. The vault cannot decrypt a changed ciphertext.',
  service_keys:
    'Encrypted keys of links and webhooks. The vault cannot decrypt a changed ciphertext.',
  simulated_charges: 'Sandbox only, without real money.',
  simulated_refunds: 'Sandbox only, without real money.',
  simulated_reversals: 'Sandbox only, without real money.',
  sweep_runs: 'Time of each sweep’s last run.',
  user_accesses: 'Hourly counts of failed sign-ins and of page views.',
  user_challenges: 'Passkey challenges, which expire in minutes.',
  user_devices: 'Known devices, so that strangers cannot lock out a person.',
  user_identities:
    'Identities at the OpenID provider. Linking and unlinking record a sealed event.',
  user_links: 'Hashes of links in e-mails, which expire. Using one records a sealed event.',
  user_passkeys: 'Public keys of passkeys. Adding and removing one records a sealed event.',
  user_recovery_codes: 'Hashes of recovery codes. Issuing new ones records a sealed event.',
  user_sessions: 'Sessions. Every action in one records a sealed event.',
  user_tries: 'Counts of failed sign-ins.',
  withholding_rates: 'Rates by taxpayer, for all accounts. Withheld amounts are sealed.',
};

const sealedByVault = 'The vault encrypts it for its own row and cannot decrypt a changed one.';

/** Exempt columns of audited tables, as `table.column`. */
export const exemptColumns: Record<string, string> = {
  'api_keys.last_used_at': 'Written after calls, without an event. It grants nothing.',
  'attempts.action':
    'Where a payer confirms a charge, for minutes. A changed address can mislead that payer, ' +
    'but the books only record what the connector confirms.',
  'attempts.ask_at':
    'Time of the next query to the channel. Its answer is recorded once, early or late.',
  'attempts.unheard_at': 'Deadline of an unanswered charge. A later approval is still recorded.',
  'debit_runs.code': 'Note on a waiting run, which ends with a result.',
  'debit_runs.look_at': 'Time of the next attempt to send a run. Orders are counted.',
  'disputes.warned_at': 'Time of the warning about a deadline. The deadline is sealed.',
  'events.position': 'Position in the feed, assigned once.',
  'kept_cards.ask_at': 'Time of the next query to the connector.',
  'kept_cards.looks': 'Order of the answers about a card. It opens or closes no card.',
  'kept_cards.network_transaction_id':
    'Network reference to an earlier debit. The sealed reference decides which card is charged.',
  'kept_cards.warn_at': 'Time of the warning that a card expires. Its month is sealed.',
  'kept_cards.signing': 'Evidence until it is stored with the mandate, which is sealed.',
  'mandate_instruments.card_ciphertext': sealedByVault,
  'mandate_instruments.card_key_id': sealedByVault,
  'mandates.card_ciphertext': sealedByVault,
  'mandates.card_erase_at': 'Time at which the card number is due for erasure.',
  'mandates.card_erased_at': 'Time at which the card number was erased.',
  'mandates.card_key_id': sealedByVault,
  'mandates.keeps_card':
    'True if a connector stores the card. The audit names runs that contradict it.',
  'mandates.link_no': 'Number of the valid signing e-mail. Signing records a sealed event.',
  'mandates.place': 'Order of lists.',
  'memberships.notices': 'E-mails that a person wants.',
  'money_alarms.closing_stamp':
    'Stamp of a closing. Without a valid one, an alarm about a forged row counts as open.',
  'network_charges.reversed_at':
    'Time at which a network took a payment back. The reconciliation of that day names it.',
  'payout_files.made_at': 'Shown next to the file. The file’s event has the time.',
  'payout_transfers.cuit': 'Printed next to the CBU, which decides and is sealed with the payout.',
  'payout_transfers.holder':
    'Printed next to the CBU, which decides and is sealed with the payout.',
  'rail_files.applied': 'Position of an import. Each line is booked once.',
  'refunds.ask_at': 'Time of the next query to the channel.',
  'requests.place': 'Order of lists.',
  'settlement_payouts.compared_at':
    'Time of the last comparison of its lines, which can be repeated at any time.',
  'settlement_payouts.elsewhere':
    'Result of the last comparison of its lines, which can be repeated at any time.',
  'settlement_payouts.faults': 'Result of the last comparison.',
  'settlement_payouts.matched': 'Result of the last comparison.',
  'static_transactions.open':
    'Speeds up the search for the open transaction. Only a pending one can be paid, and the audit names a mismatch.',
  'card_holds.ask_at': 'Time of the next query about a hold.',
  'unwanted_approvals.look_at': 'Time of the next look at an approval.',
  'users.totp_ciphertext': sealedByVault,
  'users.totp_key_id': sealedByVault,
  'users.totp_step': 'Last code used. A code is valid for about a minute.',
  'webhooks.due_at': 'Time at which a worker next handles the webhook.',
  'webhooks.failures': 'Failed deliveries in a row.',
  'webhooks.paused_until': 'End of the pause of a failing receiver.',
  'webhooks.pauses': 'Number of pauses of a failing receiver.',
  'webhooks.resumed_at': 'End of the last manual pause, or the last change of the address.',
};

interface Column {
  table: string;
  column: string;
}

/** Renders the page of audited columns from the schema's. */
export function auditedColumns(columns: readonly Column[]): string {
  const tables = [...Map.groupBy(columns, ({ table }) => table)];
  const compared = tables
    .filter(([table]) => exemptTables[table] === undefined)
    .map(([table, all]) => {
      const seen = all.filter(({ column }) => exemptColumns[`${table}.${column}`] === undefined);
      return `| \`${table}\` | ${seen.map(({ column }) => `\`${column}\``).join(', ')} |`;
    });
  const rows = (reasons: Record<string, string>): string[] =>
    Object.entries(reasons).map(([name, reason]) => `| \`${name}\` | ${reason} |`);
  return [
    '### Compared',
    `| Table | Columns |\n| --- | --- |\n${compared.join('\n')}`,
    '### Exempt columns of these tables',
    `| Column | Reason |\n| --- | --- |\n${rows(exemptColumns).join('\n')}`,
    '### Exempt tables',
    `| Table | Reason |\n| --- | --- |\n${rows(exemptTables).join('\n')}`,
  ].join('\n\n');
}
