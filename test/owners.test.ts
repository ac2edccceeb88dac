import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';
import { statementListing } from '../tools/statements.ts';

/**
 * The owner of each table: only this folder writes the table, and only its noun reads it. Other
 * code calls the noun, or uses SQL fragments that it exports.
 */
const owners: Record<string, string> = {
  account_logos: 'accounts',
  account_plans: 'money/plans',
  account_writes: 'platform',
  accounts: 'accounts',
  anchors: 'seals',
  api_calls: 'accounts',
  api_calls_left_out: 'accounts',
  api_keys: 'accounts',
  attempts: 'money/charges',
  balance_deltas: 'money/ledger',
  balances: 'money/ledger',
  batch_chunks: 'qr/imports',
  batch_pages: 'qr/imports',
  batches: 'qr/imports',
  calendar_days: 'calendar',
  card_bins: 'money/channels',
  card_transport_keys: 'mandates/card',
  card_tries: 'money/charges',
  clock: 'platform',
  closed_books: 'money/ledger',
  card_holds: 'money/charges',
  charge_references: 'money/charges',
  connector_alarms: 'connectors',
  connector_letters: 'connectors',
  connector_calls: 'connectors',
  corrections: 'money/corrections',
  daily_total_marks: 'money/collections',
  daily_totals: 'money/collections',
  debit_runs: 'debit-requests',
  deliveries: 'webhooks',
  delivery_attempts: 'webhooks',
  deployment: 'platform',
  disputes: 'money/disputes',
  events: 'events',
  fees: 'money/fees',
  folded_notices: 'users',
  former_withholding_rates: 'money/withholdings',
  id_timeline: 'platform',
  idempotency_keys: 'platform',
  import_files: 'imports',
  import_headings: 'imports',
  import_pages: 'imports',
  imports: 'imports',
  installment_plans: 'money/plans',
  journals: 'money/ledger',
  kept_cards: 'mandates/card',
  ledger_day_marks: 'money/ledger',
  ledger_days: 'money/ledger',
  mails: 'platform/mail',
  mandate_instruments: 'mandates',
  mandates: 'mandates',
  memberships: 'users',
  migrations: 'platform/postgres',
  moved_in: 'imports',
  money_alarms: 'money/alarms',
  network_charges: 'money/charges',
  notice_marks: 'users',
  operator_events: 'events',
  outbox: 'events',
  payer_mail_marks: 'payment-requests',
  payer_mail_settings: 'payment-requests',
  payer_mail_stops: 'payment-requests',
  payer_mail_texts: 'payment-requests',
  payer_mails: 'payment-requests',
  payout_files: 'money/payouts',
  payout_transfers: 'money/payouts',
  payouts: 'money/payouts',
  proposals: 'money/proposals',
  rail_files: 'rails/files',
  rail_lines: 'rails/files',
  rail_uploads: 'rails/desk',
  reconciliation_findings: 'connectors',
  reconciliations: 'connectors',
  refunds: 'money/refunds',
  registers: 'money/withholdings',
  replica_marks: 'platform',
  request_openings: 'payment-requests',
  request_word_marks: 'requests',
  request_states: 'requests',
  request_words: 'requests',
  requests: 'requests',
  results: 'money/collections',
  saved_filters: 'users',
  seal_links: 'seals',
  seal_marks: 'seals',
  seals: 'seals',
  seal_keys: 'secrets',
  service_keys: 'secrets',
  settlement_lines: 'money/settlements',
  settlement_payouts: 'money/settlements',
  simulated_charges: 'sandbox',
  simulated_refunds: 'sandbox',
  simulated_reversals: 'sandbox',
  static_qrs: 'qr/static',
  static_transactions: 'qr/static',
  suspense: 'money/suspense',
  sweep_runs: 'platform',
  transfer_accounts: 'payment-requests',
  unwanted_approvals: 'money/unwanted',
  user_accesses: 'users',
  user_challenges: 'users',
  user_devices: 'users',
  user_identities: 'users',
  user_links: 'users',
  user_passkeys: 'users',
  user_recovery_codes: 'users',
  user_sessions: 'users',
  user_tries: 'users',
  users: 'users',
  webhooks: 'webhooks',
  withholding_rates: 'money/withholdings',
  withholdings: 'money/collections',
};

/** Exceptions, with reasons. */
const others: Record<string, string> = {
  'attempts money/collections/write.ts': 'an attempt ends in the statement that records its result',
  'events seals/evidence.ts': 'the sealer follows the transactions of events, from the floor below',
  'events seals/lagging.ts': 'the sealer follows the transactions of events, from the floor below',
  'events seals/restored.ts': 'the sealer follows the transactions of events, from the floor below',
  'operator_events seals/lagging.ts':
    'the sealer follows the transactions of events, from the floor below',
  'operator_events seals/evidence.ts':
    'the sealer follows the transactions of events, from the floor below',
  'operator_events seals/restored.ts':
    'the sealer follows the transactions of events, from the floor below',
};

/** Tables that migrations fill and only the schema uses. */
const filledOnce = ['closed_books', 'installment_plans', 'replica_marks'];

/** True for the audit and the seals, which compare rows of several nouns. */
const compares = (file: string): boolean => /(audit|evidence)\.ts$|\/audit\//.test(file);

/** Returns `money/fees` for `money/fees/terms.ts`, and `qr` for `qr/static/store.ts`. */
const nounOf = (path: string): string => /^(money\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path;

interface Statement {
  file: string;
  text: string;
}

let statements: Statement[] = [];

beforeAll(async () => {
  const listing = await statementListing(packageRoot());
  statements = listing.split(/^-- src\//m).flatMap((part) => {
    const [file = '', ...texts] = part.split('\n\n');
    return texts.map((text) => ({ file: file.trim(), text }));
  });
});

/** True if the statement defines the name itself, as a CTE. */
const isOwnName = (text: string, name: string): boolean =>
  new RegExp(`\\b${name} (\\([^)]*\\) )?as (not )?(materialized )?\\(`).test(text);

const touching = (table: string, verbs: string): string[] => {
  const touches = new RegExp(`\\b(${verbs})\\s+${table}\\b`, 'i');
  const found = statements.filter(({ text }) => touches.test(text) && !isOwnName(text, table));
  return [...new Set(found.map(({ file }) => file))];
};

const writers = (table: string) => touching(table, 'insert into|update|delete from|truncate|copy');
const users = (table: string) => touching(table, 'from|join|into|update|truncate|copy');

const tables = [
  ...readFileSync(`${packageRoot()}/docs/reference/schema.sql`, 'utf8').matchAll(/^table (\w+)/gm),
];

test('gives every table of the schema an owner', () => {
  expect(tables.map(([, name]) => name).sort()).toEqual(Object.keys(owners).sort());
});

test.each(Object.entries(owners))('writes %s only in the folder %s', (table, owner) => {
  const all = writers(table);
  if (!filledOnce.includes(table)) {
    expect(all.some((file) => file.startsWith(`${owner}/`))).toBe(true);
  }
  const foreign = all.filter((file) => !file.startsWith(`${owner}/`));
  expect(foreign.filter((file) => !(`${table} ${file}` in others))).toEqual([]);
});

test.each(Object.entries(owners))('reads %s only in the noun of %s', (table, owner) => {
  const foreign = users(table).filter((file) => nounOf(file) !== nounOf(owner));
  const unexplained = foreign.filter((file) => !compares(file) && !(`${table} ${file}` in others));
  expect(unexplained).toEqual([]);
});

test('lists no unused exception', () => {
  const used = Object.keys(owners).flatMap((table) =>
    users(table).map((file) => `${table} ${file}`),
  );
  expect(Object.keys(others).filter((one) => !used.includes(one))).toEqual([]);
});

test('updates the table requests in only one file', () => {
  expect(writers('requests')).toEqual(expect.arrayContaining(['requests/move.ts']));
  expect(touching('requests', 'update')).toEqual(['requests/move.ts']);
});
