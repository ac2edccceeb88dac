import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Who writes a table: one folder each. Whoever else wants a row changed asks that noun. */
const owners: Record<string, string> = {
  accounts: 'accounts',
  api_keys: 'accounts',
  attempts: 'money/charges',
  balance_deltas: 'money/ledger',
  balances: 'money/ledger',
  batch_chunks: 'qr/imports',
  batch_pages: 'qr/imports',
  batches: 'qr/imports',
  calendar_days: 'calendar',
  corrections: 'money/corrections',
  debit_runs: 'debit-requests',
  deliveries: 'webhooks',
  delivery_attempts: 'webhooks',
  events: 'events',
  fees: 'money/fees',
  former_withholding_rates: 'money/withholdings',
  idempotency_keys: 'platform',
  journals: 'money/ledger',
  mandate_instruments: 'mandates',
  mandates: 'mandates',
  outbox: 'events',
  payouts: 'money/payouts',
  rail_files: 'rails/files',
  rail_lines: 'rails/files',
  refunds: 'money/refunds',
  registers: 'money/withholdings',
  requests: 'requests',
  results: 'money/collections',
  seals: 'seals',
  simulated_charges: 'sandbox',
  simulated_refunds: 'sandbox',
  simulated_reversals: 'sandbox',
  static_qrs: 'qr/static',
  static_transactions: 'qr/static',
  suspense: 'money/suspense',
  webhooks: 'webhooks',
  withholding_rates: 'money/withholdings',
  withholdings: 'money/collections',
};

/** Other writers, and why. */
const others: Record<string, string> = {
  'accounts money/plans/account-plans.ts':
    'a change of its plans raises the version of the account',
  'attempts money/collections/write.ts': 'an attempt ends in the statement that records its result',
  'events webhooks/feed/publish.ts': 'the dispatcher gives events their place in the feed',
  'outbox webhooks/feed/publish.ts': 'the dispatcher takes them out',
};

const root = new URL('../src/', import.meta.url);
const files = globSync('**/*.ts', { cwd: root }).map((file) => ({
  file: file.replaceAll('\\', '/'),
  text: readFileSync(new URL(file, root), 'utf8'),
}));

const writers = (table: string): string[] => {
  const writes = new RegExp(`\\b(insert into|update|delete from)\\s+${table}\\b`, 'i');
  return files.filter(({ text }) => writes.test(text)).map(({ file }) => file);
};

test.each(Object.entries(owners))('%s is written by %s alone', (table, owner) => {
  const all = writers(table);
  expect(all.some((file) => file.startsWith(`${owner}/`))).toBe(true);
  const foreign = all.filter((file) => !file.startsWith(`${owner}/`));
  expect(foreign.filter((file) => !(`${table} ${file}` in others))).toEqual([]);
});

test('requests are moved by one file', () => {
  expect(writers('requests')).toEqual(expect.arrayContaining(['requests/move.ts']));
  const updates = files.filter(({ text }) => /\bupdate\s+requests\b/i.test(text));
  expect(updates.map(({ file }) => file)).toEqual(['requests/move.ts']);
});
