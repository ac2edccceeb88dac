/**
 * Columns that the audit does not compare, each with the reason why a change moves no money and
 * misleads readers only briefly. A test changes every other column and expects the audit to name
 * it.
 */

/** Tables without any compared column. */
export const exemptTables: Record<string, string> = {
  account_logos: 'Pictures. The hash of the one that is shown is sealed with the account.',
  account_plans: 'Installments that an account offers. Payments book the amount of the request.',
  account_writes: 'Marks recent writes, so that a reader is sent to the primary.',
  anchors: 'A queue of links to publish. The copy at the receiver counts.',
  api_calls: 'The request log. Nothing is booked from it.',
  api_calls_left_out: 'A count beside the request log.',
  balance_deltas:
    'Folded into balances. The sealer compares each with its journals, the audit their sums.',
  batch_chunks:
    'Parts of an upload until it is processed. What it made is sealed with its requests.',
  batch_pages: 'Answers about the items of an import. The requests themselves are sealed.',
  batches: 'Progress of an import. The requests that it made are sealed.',
  card_bins: 'Kinds of cards by first digits: public data that a command loads again.',
  card_transport_keys:
    'Keys under which callers encrypt card numbers. A wrong one fails to decrypt.',
  card_tries: 'Card payments that were refused or not answered, counted by the hour.',
  clock: 'The clock of the sandbox. Production reads the clock of the machine.',
  closed_books:
    'The last closed day. Raised, postings stop with 503; lowered, they still get the day of the clock.',
  connector_letters: 'Notices that no release could read yet. No money follows from them.',
  connector_alarms: 'Signals about connections. Facts about money are in money_alarms.',
  connector_calls: 'Ids of notices that were taken. A notice again is compared with its payment.',
  daily_total_marks: 'How far totals are folded. The totals are compared with the results.',
  deliveries: 'Queue and outcome of webhooks. The events are sealed.',
  delivery_attempts: 'Log of webhooks. The events are sealed.',
  folded_notices: 'How many e-mails owners got, and the content of a later one.',
  former_withholding_rates: 'Rates by taxpayer, of no account. What was withheld is sealed.',
  idempotency_keys: 'First answers, for a day. A repeated call changes nothing.',
  import_files: 'Files of drafts, until a person confirms or discards them.',
  import_headings: 'Remembered headings of spreadsheets. A person confirms each import.',
  import_pages: 'What was said of the rows of an import. The requests are sealed.',
  imports: 'Progress of an import. The requests are sealed.',
  installment_plans:
    'Cost of financing, filled by a migration. It is between payer and card; the books have the request.',
  ledger_day_marks: 'How far days are folded. The days are compared with the journals.',
  mails: 'E-mails in transit. Their links open what a key or a password guards.',
  migrations: 'Checksums, compared with the files at every start.',
  moved_in: 'Former ids, for the next run. What was moved is sealed.',
  notice_marks: 'How far people were notified by mail.',
  outbox: 'A queue of events for webhooks. The events are sealed.',
  payer_mail_marks: 'How far mails to payers are.',
  payer_mail_settings: 'Which mails payers get.',
  payer_mail_stops: 'Payers who want no mails.',
  payer_mail_texts: 'Words of mails. Amounts and links come from the request.',
  payer_mails: 'Mails to payers on their way. Amounts and links come from the request.',
  rail_uploads: 'Files that a person looks at before they are imported.',
  reconciliation_findings: 'What the audit itself names.',
  reconciliations: 'Days that were compared with a connector; compared again at any time.',
  registers: 'Imported registers of rates, of no account. What was withheld is sealed.',
  replica_marks: 'Marks by which replicas show how far behind they are.',
  request_openings: 'That a checkout was opened. The event is sealed.',
  request_word_marks: 'How far the search index is.',
  request_words: 'The search index. What it finds is read from the request.',
  saved_filters: 'Filters of lists that a person saved.',
  seal_marks: 'How far the sealer is. An event before the mark that has no seal is named.',
  seal_keys: 'Keys of seals under the vault; another ciphertext cannot be opened.',
  service_keys: 'Keys of links and webhooks under the vault; another ciphertext cannot be opened.',
  simulated_charges: 'Of the sandbox. No money exists there.',
  simulated_refunds: 'Of the sandbox. No money exists there.',
  simulated_reversals: 'Of the sandbox. No money exists there.',
  sweep_runs: 'When sweeps ran last.',
  user_accesses: 'Who failed to sign in and who looked, folded by the hour.',
  user_challenges: 'Challenges of passkeys, for minutes.',
  user_devices: 'Known devices, so that strangers cannot lock a person out.',
  user_identities:
    'Whom the OpenID provider knows a user as. Linking and unlinking leave a sealed event.',
  user_links: 'Hashes of links in e-mails, for a time. Using one leaves a sealed event.',
  user_passkeys: 'Public keys of passkeys. Adding and removing one leaves a sealed event.',
  user_recovery_codes: 'Hashes of recovery codes. Making new ones leaves a sealed event.',
  user_sessions: 'Sessions. What a person does in one leaves a sealed event.',
  user_tries: 'Failed sign-ins, counted.',
  withholding_rates: 'Rates by taxpayer, of no account. What was withheld is sealed.',
};

const sealedByVault = 'The vault encrypts it for its own place: another one cannot be opened.';

/** Exempt columns of audited tables, as `table.column`. */
export const exemptColumns: Record<string, string> = {
  'api_keys.last_used_at': 'Written behind the calls, without an event. It grants nothing.',
  'attempts.action':
    'Where a payer is sent to confirm a charge, for minutes. A changed address can mislead that payer; ' +
    'the books only take what the connector confirms.',
  'attempts.ask_at': 'When a channel is asked next. Its answer is recorded once, early or late.',
  'attempts.unheard_at':
    'How long an unanswered charge waits. One that is approved later is recorded all the same.',
  'debit_runs.code': 'A note of a run that waits. Its end is a result.',
  'debit_runs.look_at': 'When a run that could not be sent is tried again; orders are counted.',
  'disputes.warned_at': 'When people were told of a deadline. The deadline is sealed.',
  'events.position': 'The place in the feed, given once.',
  'kept_cards.ask_at': 'When a connector is asked about a card.',
  'kept_cards.looks': 'Which of two answers about a card is newer. It opens or closes none.',
  'kept_cards.network_transaction_id':
    'What a debit tells the network of an earlier one. Whose card is charged follows from the reference, which is sealed.',
  'kept_cards.warn_at': 'When an account is told that a card expires. Its month is sealed.',
  'kept_cards.signing': 'Evidence on its way to the mandate, where it is sealed.',
  'mandate_instruments.card_ciphertext': sealedByVault,
  'mandate_instruments.card_key_id': sealedByVault,
  'mandates.card_ciphertext': sealedByVault,
  'mandates.card_erase_at': 'When a card number is erased.',
  'mandates.card_erased_at': 'When a card number was erased.',
  'mandates.card_key_id': sealedByVault,
  'mandates.keeps_card':
    'Whether a connector keeps the card. A run that is carried otherwise is named.',
  'mandates.link_no': 'Which signing e-mail is valid. Signing leaves a sealed event.',
  'mandates.place': 'Order of lists.',
  'memberships.notices': 'Which mails a person wants.',
  'network_charges.reversed_at':
    'That a network took a payment back. The day that is compared with its connector names it.',
  'payout_files.made_at': 'Shown beside the file. The event of the file has the moment.',
  'payout_transfers.cuit': 'Printed beside the CBU, which is sealed with the payout and decides.',
  'payout_transfers.holder': 'Printed beside the CBU, which is sealed with the payout and decides.',
  'rail_files.applied': 'How far an import is. What is booked twice is known by its line.',
  'refunds.ask_at': 'When a channel is asked next.',
  'requests.place': 'Order of lists.',
  'settlement_payouts.compared_at':
    'When its lines were compared last; compared again at any time.',
  'settlement_payouts.elsewhere': 'What its lines came to; compared again at any time.',
  'settlement_payouts.faults': 'The same.',
  'settlement_payouts.matched': 'The same.',
  'static_transactions.open':
    'Which transaction is looked at first. Only a pending one can be paid, and one that is not open is named.',
  'card_holds.ask_at': 'When the service asks for a hold again.',
  'unwanted_approvals.look_at': 'When the service looks at an approval again.',
  'users.totp_ciphertext': sealedByVault,
  'users.totp_key_id': sealedByVault,
  'users.totp_step': 'The last code that was used. A code is valid for a minute.',
  'webhooks.due_at': 'When a worker looks at a webhook again.',
  'webhooks.failures': 'Failed deliveries in a row.',
  'webhooks.paused_until': 'Until when a failing receiver is left alone.',
  'webhooks.pauses': 'How often a failing receiver was left alone.',
  'webhooks.resumed_at': 'Since when deliveries are tried again.',
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
    `| Column | Why |\n| --- | --- |\n${rows(exemptColumns).join('\n')}`,
    '### Exempt tables',
    `| Table | Why no column is compared |\n| --- | --- |\n${rows(exemptTables).join('\n')}`,
  ].join('\n\n');
}
