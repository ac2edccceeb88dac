import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorBooks } from '../../src/accounts/index.ts';
import { stamped } from '../../src/audit/evidences.ts';
import { auditIn, stampedAlarms } from '../../src/audit/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { listMoneyAlarms } from '../../src/money/alarms/index.ts';
import { forgedWaiting, sealAll } from '../../src/money/ledger/index.ts';
import { makePayoutFile, writtenPayoutFile } from '../../src/money/payouts/index.ts';
import { endRefund, readTransfers } from '../../src/money/refunds/index.ts';
import { returnSuspense, suspend } from '../../src/money/suspense/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { testOperator } from '../harness/actors.ts';
import { connectSuperuser } from '../harness/database.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { playEverything } from './everything.ts';

let service: TestService;
let superuser: Sql;
let ids: () => Promise<number>;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' });
  superuser = connectSuperuser(service.databaseUrl);
  // Sealing first ensures that every later fact has a stamp.
  await sealEvents(service);
  await playEverything(service);
  await askTransfer();
  await sendPayout(service.service.parts.base)({
    accountId: testAccount,
    reference: 'for the bank',
    amount: centavos(100),
    actor: testOperator,
  });
  await suspend(service.service.parts.base)([
    {
      reason: 'unknown_request',
      channel: 'non_banking',
      label: 'Rapipago',
      code: 'nobody',
      amount: centavos(12_300),
      paidAt: service.service.parts.clocks.business.now(),
      source: 'test',
      sourceRef: 'forged',
    },
  ]);
  await seal();
  ids = () => service.service.parts.base.recordIds.next();
}, 120_000);
afterAll(async () => {
  await superuser?.end();
  await service?.stop();
});

/** Requests a refund that the operator must transfer. */
async function askTransfer(): Promise<void> {
  const player = playerOf(service);
  const paid = await player.create();
  await player.pay(paid);
  const refund = { amount: 10, cbu: '2850590940090418135201' };
  const { status } = await service.call('POST', `/payment-request/${paid}/refund`, {
    body: { refund },
  });
  expect(status).toBe(201);
}

async function seal(): Promise<void> {
  const { base, sealer } = service.service.parts;
  await sealAll(base.sql, sealer);
  await sealEvents(service);
}

async function faults(): Promise<string[]> {
  const { base, sealer } = service.service.parts;
  const found = [];
  for (const account of [testAccount, operatorBooks]) {
    found.push(...(await auditIn(base.sql, account, { keys: sealer.keys })));
  }
  return found.map(({ what }) => what);
}

const alarms = async (): Promise<string[]> =>
  (await listMoneyAlarms(service.sql, { all: true, after: 0, limit: 1000 })).map(
    ({ fact }) => fact,
  );

/** Returns the forged facts that block a payout of the account. */
const waiting = () => forgedWaiting(service.service.parts.base.sql, testAccount);

/** Inserts a copy of a row with some of its columns changed, as any role that writes it can. */
async function copy(
  table: string,
  changes: Record<string, string>,
  where: string,
): Promise<Record<string, unknown>> {
  const { sql } = service.service.parts.base;
  const rows = await sql<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}`;
  const names = rows.map(({ name }) => name).filter((name) => name !== 'xid');
  const values = names.map((name) => changes[name] ?? name);
  const [row] = await sql.unsafe<Record<string, unknown>[]>(
    `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table}
     where ${where} limit 1 returning *`,
  );
  if (!row) throw new Error(`${table} has no row where ${where}`);
  return row;
}

/** Returns a genuine row to copy. */
const genuine = async (table: string, where: string): Promise<{ account: string; id: number }> => {
  const [row] = await service.sql.unsafe<{ account_id: string; id: number }[]>(
    `select account_id, id from ${table} where ${where} order by id limit 1`,
  );
  if (!row) throw new Error(`${table} has no row where ${where}`);
  return { account: row.account_id, id: row.id };
};

/** Copies a journal under another fact, with its delta. */
async function copyJournal(where: string, changes: Record<string, string>): Promise<number> {
  const id = await ids();
  const row = await copy('journals', { id: String(id), ...changes }, where);
  await service.sql.unsafe(
    `insert into balance_deltas (account_id, id, accounts, amounts, journal_ids)
     select account_id, id, accounts, amounts, array[id] from journals
     where account_id = '${String(row.account_id)}' and id = ${id}`,
  );
  return id;
}

let version = 900;

/** Copies the event of one fact to another. */
async function copyEvent(where: string, from: number, to: number): Promise<void> {
  const data = `replace(data::text, '${from}', '${to}')::json`;
  const entityId = `case entity_id when '${from}' then '${to}' else entity_id end`;
  await copy(
    'events',
    {
      id: String(await ids()),
      version: String(++version),
      entity_id: entityId,
      position: 'null',
      data,
    },
    where,
  );
}

interface Fact {
  table: string;
  where: string;
  /** Differences from the genuine row. */
  changes: Record<string, string>;
  journal(id: number): string;
  linkedTo(id: number): Record<string, string>;
  event(id: number): string;
}

const caused = (noun: string) => ({
  journal: (id: number) => `cause = '${noun}:${id}'`,
  linkedTo: (id: number) => ({ cause: `'${noun}:${id}'` }),
  event: (id: number) => `entity = '${noun}' and entity_id = '${id}'`,
});

/** Facts that have their own journal and event. */
const facts: Record<string, Fact> = {
  correction: {
    table: 'corrections',
    where: 'true',
    changes: { reference: `reference || '$id'` },
    ...caused('correction'),
  },
  payout: {
    table: 'payouts',
    where: `state = 'sent'`,
    changes: { reference: `reference || '$id'` },
    ...caused('payout'),
  },
  suspense: {
    table: 'suspense',
    where: `state = 'open'`,
    changes: { source_ref: `source_ref || '$id'` },
    ...caused('suspense'),
  },
  result: {
    table: 'results',
    where: `type = 'collected'`,
    changes: { source_ref: `source_ref || '$id'` },
    journal: (id) => `result_id = ${id} and kind = 'collection'`,
    linkedTo: (id) => ({ result_id: String(id) }),
    event: (id) => `data->>'request_result_id' = '${id}'`,
  },
  refund: {
    table: 'refunds',
    where: `way = 'transfer'`,
    changes: { reference: `reference || '$id'` },
    journal: (id) =>
      `kind = 'refund_hold' and result_id = (select result_id from refunds where id = ${id})`,
    linkedTo: () => ({}),
    event: (id) => `data->>'refund_id' = '${id}'`,
  },
};

const itemOf = <T>(all: Record<string, T>, key: string): T => {
  const item = all[key];
  if (!item) throw new Error(`there is no ${key}`);
  return item;
};

/** Replaces `$id` in the changes, for columns whose values must be unique. */
const fill = (changes: Record<string, string>, id: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(changes).map(([column, value]) => [column, value.replace('$id', String(id))]),
  );

/** Records of charges, which are not sealed: see `test/connectors/forged.test.ts`. */
const charges: Record<string, { table: string; changes: Record<string, string>; name: string }> = {
  attempt: {
    table: 'attempts',
    changes: { id: '$id', state: `'done'`, lane: '$id', reference: 'null' },
    name: 'id',
  },
  hold: {
    table: 'card_holds',
    changes: { attempt_id: '$id' },
    name: 'attempt_id',
  },
  'reference of a charge': {
    table: 'charge_references',
    changes: { reference: `reference || '$id'` },
    name: 'reference',
  },
  'payment of a network': {
    table: 'network_charges',
    changes: { trx: `trx || '$id'` },
    name: 'trx',
  },
  'closing of alarm': {
    table: 'money_alarms',
    changes: {
      id: '$id',
      kind: `'forged_fact'`,
      fact: `fact || '$id'`,
      closed_at: 'now()',
      closed_by: `'x'`,
      note: `'x'`,
    },
    name: 'id',
  },
  'unwanted approval': {
    table: 'unwanted_approvals',
    changes: { attempt_id: '$id' },
    name: 'attempt_id',
  },
};

test('covers every stamped kind of fact below', () => {
  expect(stamped.map(({ kind }) => kind).toSorted()).toEqual(
    ['journal', ...Object.keys(facts), ...Object.keys(charges)].toSorted(),
  );
});

test('stamps the service’s own writes', async () => {
  expect((await faults()).filter((what) => what.includes('did not write'))).toEqual([]);
  expect((await alarms()).filter((fact) => /^(journal|delta)/.test(fact))).toEqual([]);
});

const kinds = Object.keys(facts) as (keyof typeof facts & string)[];

test.each(
  kinds.flatMap((kind) => [
    { kind, stamp: 'stamp' },
    { kind, stamp: 'null' },
  ]),
)(
  'reports a copied $kind in alarms and audit, with the original’s stamp or none: $stamp',
  async ({ kind, stamp }) => {
    const { table, where, changes, journal, linkedTo, event } = itemOf(facts, kind);
    const { account, id: from } = await genuine(table, where);
    const to = await ids();
    const own = fill(changes, to);
    await copy(table, { ...own, id: String(to), stamp }, `id = ${from}`);
    const posted = await copyJournal(journal(from), { ...linkedTo(to), stamp });
    await copyEvent(event(from), from, to);
    await seal();
    expect(await alarms()).toEqual(
      expect.arrayContaining([`${kind} ${account}-${to}`, `journal ${account}-${posted}`]),
    );
    expect(await faults()).toEqual(
      expect.arrayContaining([
        `${kind} ${to} was not written by this service`,
        `journal ${posted} was not written by this service`,
      ]),
    );
  },
);

test('takes the alarm of a forged row for a missing key only while its stamp is valid', async () => {
  const { base, sealer } = service.service.parts;
  const { table, where, changes, event } = itemOf(facts, 'payout');
  const { account, id: from } = await genuine(table, where);
  const to = await ids();
  await copy(table, { ...fill(changes, to), id: String(to) }, `id = ${from}`);
  await copyEvent(event(from), from, to);
  await seal();
  const fact = `payout ${account}-${to}`;
  expect(await alarms()).toContain(fact);
  await superuser`delete from payouts where account_id = ${account} and id = ${to}`;
  expect(await stampedAlarms(base.sql, sealer.keys)).toEqual([]);
  const own = `payout ${account}-${from}`;
  await superuser`update money_alarms set fact = ${own} where fact = ${fact}`;
  expect(await stampedAlarms(base.sql, sealer.keys)).toHaveLength(1);
  await superuser`update money_alarms set fact = ${fact} where fact = ${own}`;
});

test.each(Object.keys(charges))('reports a copied %s as forged', async (kind) => {
  const { table, changes, name } = itemOf(charges, kind);
  const row = await copy(table, fill(changes, await ids()), 'true');
  expect(await faults()).toContain(`${kind} ${String(row[name])} was not written by this service`);
});

const deltaOf = async (changes: Record<string, string>): Promise<string> => {
  const id = await ids();
  const row = await copy('balance_deltas', { id: String(id), ...changes }, 'true');
  return `delta ${String(row.account_id)}-${String(row.id)}`;
};

interface Delta {
  id: number;
  accounts: number[];
  amounts: number[];
  journal_ids: number[];
}

/** Creates a correction whose delta is not folded yet. */
async function waitingDelta(reference: string): Promise<Delta> {
  const { base } = service.service.parts;
  await correct(base)({
    accountId: testAccount,
    reference,
    note: 'n',
    amount: centavos(100),
    actor: testOperator,
  });
  const [row] = await service.sql<Delta[]>`
    select id, accounts, amounts, journal_ids from balance_deltas where account_id = ${testAccount} order by id desc limit 1`;
  if (!row) throw new Error('no delta waits');
  return row;
}

test('reports a copied delta before the sealer folds it', async () => {
  await waitingDelta('waits');
  const copied = await deltaOf({});
  expect((await waiting()).map(({ kind }) => kind)).toEqual(['delta']);
  expect((await faults()).filter((what) => what.includes('is in 2 seals and deltas'))).not.toEqual(
    [],
  );
  await seal();
  expect(await alarms()).toContain(copied);
});

test('reports a delta whose amount differs from its journals, and one without journals', async () => {
  const { id } = await waitingDelta('changed');
  await service.sql`update balance_deltas set amounts = array[-99999999, 99999999]
    where id = ${id}`;
  const alone = await ids();
  await service.sql`
    insert into balance_deltas (account_id, id, accounts, amounts, journal_ids)
    values (${testAccount}, ${alone}, array[2, 7], array[-99999999, 99999999], '{}')`;
  await seal();
  expect(await alarms()).toEqual(
    expect.arrayContaining([`delta ${testAccount}-${id}`, `delta ${testAccount}-${alone}`]),
  );
});

test('reports a delta that is folded a second time', async () => {
  const row = await waitingDelta('again');
  await seal();
  await service.sql`
    insert into balance_deltas (account_id, id, accounts, amounts, journal_ids)
    values (${testAccount}, ${row.id}, ${row.accounts}, ${row.amounts}, ${row.journal_ids})`;
  expect(await waiting()).toEqual([{ accountId: testAccount, kind: 'delta', id: row.id }]);
  await seal();
  expect(await alarms()).toContain(`delta ${testAccount}-${row.id}`);
});

test('refuses a payout file with a changed payout, and writes an unchanged one', async () => {
  const { base } = service.service.parts;
  const file = await makePayoutFile(base)({ reference: 'for the bank', actor: testOperator });
  const id = file?.id ?? 0;
  await expect(writtenPayoutFile(base.sql, id)).resolves.toMatchObject({
    name: expect.any(String),
  });
  await service.sql`
    update payouts set cbu = '0110599520000001234567' where (account_id, id) in (
      select account_id, payout_id from payout_transfers where file_id = ${id})`;
  await expect(writtenPayoutFile(base.sql, id)).rejects.toThrow('someone changed it since');
});

test('refuses to return suspense money from a forged entry', async () => {
  const { base } = service.service.parts;
  const id = await ids();
  await copy('suspense', { id: String(id), source_ref: `'${id}'` }, `state = 'open'`);
  const back = returnSuspense(base)({ id, note: 'n', actor: testOperator });
  await expect(back).rejects.toThrow('This service did not write');
});

test('refuses to list or execute the transfer of an inserted refund', async () => {
  const { base } = service.service.parts;
  const id = await ids();
  await copy('refunds', { id: String(id), reference: `'${id}'` }, `way = 'transfer'`);
  await expect(readTransfers(base.sql, testAccount, 100)).rejects.toThrow('did not write');
  const end = { accountId: testAccount, id, state: 'done', comment: 'c' } as const;
  await expect(endRefund(base)({ ...end, actor: testOperator })).rejects.toThrow('did not write');
});
