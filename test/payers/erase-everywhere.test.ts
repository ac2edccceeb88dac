import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { type Service, serve } from '../../src/main.ts';
import { prepareFacts } from '../../src/money/collections/index.ts';
import { noteDispute } from '../../src/money/disputes/index.ts';
import { propose, rejectProposal } from '../../src/money/proposals/index.ts';
import { assignSuspense, listSuspense, suspend } from '../../src/money/suspense/index.ts';
import { withdrawPaymentRequests } from '../../src/payment-requests/withdraw.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { personalColumns } from '../../tools/personal-columns.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { advance, inDays } from '../harness/builders/clock.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cbuEndingIn } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { batchOf, itemOf } from '../harness/builders/qrs.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openDesk, staff } from '../imports/desk.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const cuit = '23314445554';
const name = 'Zoraida Quintriqueo';
const email = 'zoraida@example.com';
const phone = '11 5263-7391';
const cbu = cbuEndingIn('7391', 77);
/** A text that a person or another machine writes. */
const words = `${name}, CUIT 23-31444555-4, ${email}, tel. ${phone}`;
const mark = /zoraida|quintriqueo|31444555|5263-?7391/i;
const hasMark = (text: string): boolean => mark.test(text) || text.includes(cbu);

const lines: string[] = [];
const log = createLog('debug', { write: (line: string) => void lines.push(line) });

let service: TestService;
let superuser: Sql;
let worker: Service | undefined;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr' }, log);
  superuser = connectSuperuser(service.databaseUrl);
});
afterAll(async () => {
  await superuser.end();
  await worker?.stop();
  await service.stop();
});

const post = async (at: string, body: unknown, key: string) => {
  const answer = await service.call('POST', at, { body, headers: { 'Idempotency-Key': key } });
  expect([200, 201], answer.text).toContain(answer.status);
  return answer.body;
};

/** Runs a command and expects no fault. */
async function run(...args: string[]): Promise<string> {
  const ran = await recaudo(args, { DATABASE_URL: service.databaseUrl });
  expect(ran.stderr).toBe('');
  return ran.stdout;
}

/** Returns the names of columns that contain the person, as `table.column`. */
async function columnsWithMark(): Promise<string[]> {
  const tables = await superuser<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const found = new Set<string>();
  for (const { name: table } of tables) {
    const rows = await superuser.unsafe<{ key: string; value: string }[]>(
      `select cell.key, cell.value from ${table} t, json_each_text(row_to_json(t)) as cell
        where cell.value is not null`,
    );
    for (const { key, value } of rows) {
      const text = value.startsWith('\\x')
        ? Buffer.from(value.slice(2), 'hex').toString('utf8')
        : value;
      if (hasMark(text)) found.add(`${table}.${key}`);
    }
  }
  return [...found];
}

async function filesWithMark(): Promise<string[]> {
  const entries = await readdir(service.config.DATA_DIR, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name));
  const found = [];
  for (const file of files) {
    if (hasMark(await readFile(file, 'latin1')))
      found.push(path.relative(service.config.DATA_DIR, file));
  }
  return found;
}

const payer = {
  payer_name: name,
  payer_email: email,
  description: words,
  metadata: { words },
  items: [{ description: words, amount: 10 }],
};

const create = async (key: string): Promise<number> =>
  (await post('/payment-request', paymentRequestBody(service, payer), key)).id;

/** Plants the person in what accounts and payers write. */
async function plantCalls() {
  const mandate = adhesionBody({
    ...{ adhesion_holder_name: name, cbu_holder_name: name, email, cbu_number: cbu },
    ...{ cbu_holder_id_number: Number(cuit), description: words, metadata: { words } },
  });
  const { id: adhesion } = await post('/adhesion', mandate, 'mandate');
  await createDebit(service, adhesion, { description: words, metadata: { words } });
  const [paid, returned, withdrawn, assigned] = await Promise.all(
    ['paid', 'returned', 'withdrawn', 'assigned'].map(create),
  );
  await post(`/sandbox/pay/${paid}`, { channel: 'credit_card' }, 'pay 1');
  await post(`/sandbox/pay/${returned}`, {}, 'pay 2');
  const qr = itemOf(service, 'zq', { payer_name: name, description: words, payer_email: email });
  await post('/save-qr-data', batchOf([qr]), 'qr');
  return { adhesion, paid, returned, withdrawn, assigned } as Record<string, number>;
}

/** Plants the person in what people of the account, and operators, write. */
async function plantNotes({ paid = 0, returned = 0, withdrawn = 0, assigned = 0 }) {
  const { base, clocks, calendar } = service.service.parts;
  const at = clocks.business.now();
  const [id = 0, eventId = 0, withdrawal = 0] = await base.recordIds.take(3);
  await base.sql.begin((tx) =>
    withdrawPaymentRequests(base)(tx, staff, {
      ids: [withdrawn],
      eventIds: [withdrawal],
      comment: words,
    }),
  );
  const of = ['--account', testAccount];
  const failing = await post(
    `/payment-request/${returned}/refund`,
    { refund: { amount: 5, cbu } },
    'r',
  );
  await run('refunds', 'fail', String(failing.id), ...of, '--reason', words);
  const byHand = ['--request', String(paid), '--amount', '2', '--reference', 'C-1'];
  await run('collections', 'refund', ...of, ...byHand, '--reason', words);
  const [result] = await superuser<{ id: number }[]>`
    select id from results where request_id = ${returned} and type = 'collected'`;
  await propose(
    base.sql,
    {
      ...{ account_id: testAccount, kind: 'refund', reference: 'P-1', request_id: returned },
      ...{ amount: centavos(100), terms: { result_id: result?.id, cbu }, proposed_by: 1 },
    },
    { id, at, actor: testOperator, eventId },
  );
  const decision = { accountId: testAccount, id, by: 2, actor: testOperator };
  await rejectProposal(base)('refund', { ...decision, reason: words });
  const [attempt] = await superuser<{ id: number }[]>`
    select id from attempts where request_id = ${paid}`;
  await noteDispute(base)(
    {
      ...{ account_id: testAccount, request_id: paid, attempt_id: attempt?.id ?? 0 },
      ...{ connector: 'cards', name: 'dispute 1', state: 'won', revision: 1, reason: words },
      ...{ amount: centavos(100), taken: centavos(0), evidence_due_at: null },
    },
    { kind: 'connector', name: 'cards' },
  );
  await suspend(base)([
    {
      ...{ reason: 'unreadable_code', channel: 'non_banking', label: 'Rapipago', code: '?' },
      ...{ amount: centavos(500), paidAt: at, source: 'rapipago', sourceRef: '1' },
    },
  ]);
  const [money] = await listSuspense(base.sql, { all: false, after: 0, limit: 1 });
  const to = { accountId: testAccount, id: assigned };
  const assignment = { id: money?.id ?? 0, to, note: words, actor: testOperator };
  await assignSuspense(base, prepareFacts(base, calendar))(assignment);
}

/** Plants the person in rows that other machines cause: mails, bounces, letters, attempts. */
async function plantRows({ paid = 0, adhesion = 0 }) {
  await superuser`
    insert into mails (account_id, id, recipient, subject, body, link_kind, link_id, link_no, state,
      attempts, next_at, ended_at, refusal)
    values (${testAccount}, 7001, ${email}, ${words}, ${words}, 'adhesion', ${adhesion}, 9, 'failed',
      1, now(), now(), ${words})`;
  await superuser`
    insert into payer_mail_stops (account_id, address, reason, at, request_id)
    values (${testAccount}, ${email}, 'bounced', now(), ${paid})`;
  await superuser`
    insert into payer_mails (account_id, request_id, kind, no, copy, state, at, mail_id, bounced_at,
      bounce, recipient)
    values (${testAccount}, ${paid}, 'reminder', 9, 9, 'queued', now(), 7002, now(), ${words}, ${email})`;
  await superuser`
    insert into connector_letters (id, connector, digest, body, fault, heard_at, state, decided_at,
      decided_by, note)
    values (8001, 'bank', 'digest', ${JSON.stringify({ words })}, ${words}, now(), 'discarded', now(),
      'system', '')`;
}

async function plantImport(): Promise<void> {
  const desk = openDesk(service);
  const heading = 'Socio;Concepto;Vencimiento;Importe;Referencia;Email';
  const sheet = [
    `${name};Taller;${inDays(service, 20)};100,00;Z-1;${email}`,
    `${name};Taller;32/13/2026;100,00;Z-2;${email}`,
    `Otra Socia;Taller;${inDays(service, 20)};100,00;O-1;otra@example.com`,
  ];
  const { import: draft } = await desk.upload([heading, ...sheet].join('\r\n'));
  await desk.confirm(draft);
  await desk.until(draft.id, 'completed');
}

/**
 * Columns where this test plants nothing: cards at acquirers need one, no mandate changes its account,
 * a withdrawal comes after the due date, and texts of charges, imports and signatures are the
 * simulator's.
 */
const notPlanted = [
  ...['attempts.action', 'import_pages.faults', 'import_pages.outcomes', 'kept_cards.signing'],
  ...['mandate_instruments.cbu', 'mandates.evidence', 'requests.state_comment'],
];

/** The section of an export that has a table's personal data. */
const exportedAs: Record<string, string> = {
  ...{ attempts: 'charges', import_pages: 'imported_rows', payer_mail_stops: 'unsubscriptions' },
  ...{ disputes: 'disputes', mails: 'mails', mandates: 'mandates', payer_mails: 'sent_mails' },
  ...{ proposals: 'proposals', refunds: 'refunds', requests: 'requests', results: 'results' },
  ...{ mandate_instruments: 'mandates', suspense: 'assigned_money' },
};

/** Tables that repeat the data of others, or that no account can read. */
const notExported = [
  ...['connector_letters', 'events', 'idempotency_keys', 'imports', 'kept_cards'],
  'request_words',
];

/** Sections without a mark: charges of the simulator name nobody. */
const withoutMark = ['charges'];

async function expectExported(): Promise<void> {
  const erased = Object.entries(personalColumns).filter(([, columns]) => columns.erased);
  expect([...Object.keys(exportedAs), ...notExported].toSorted()).toEqual(
    erased.map(([table]) => table).toSorted(),
  );
  const document = await run('payers', 'export', '--cuit', cuit, '--email', email);
  const [account] = JSON.parse(document).accounts;
  const marked = Object.values(exportedAs).filter((name) => hasMark(JSON.stringify(account[name])));
  const expected = Object.values(exportedAs).filter((name) => !withoutMark.includes(name));
  expect(marked.filter((name) => !withoutMark.includes(name))).toEqual(expected);
}

test('finds an erased person in no table, log or file, except e-mails that the sandbox wrote', async () => {
  const ids = await plantCalls();
  await advance(service, { days: 15 });
  await plantNotes(ids);
  // Starts late, because its simulator would end the refunds.
  const { ROLES } = readConfig({ ROLES: 'worker', LOG_LEVEL: 'silent' });
  worker = await serve({ ...service.config, PORT: 0, ROLES }, log);
  await plantImport();
  await sealEvents(service);
  await plantRows(ids);
  await service.call('PUT', `/adhesion/${ids.adhesion}/cancel`);
  await advance(service, { days: 75 });
  // The worker indexes the words of a request a moment later.
  await expect.poll(columnsWithMark).toContain('request_words.words');
  const planted = await columnsWithMark();
  const erasable = Object.entries(personalColumns).flatMap(([table, { erased = [] }]) =>
    erased.map((column) => `${table}.${column}`),
  );
  expect(planted.filter((column) => !erasable.includes(column))).toEqual([]);
  expect(erasable.filter((column) => !planted.includes(column))).toEqual(notPlanted);
  await expectExported();
  const order = ['--cuit', cuit, '--email', email, '--reason', 'EX-1', '--json'];
  expect(JSON.parse(await run('payers', 'erase', ...order))).toMatchObject({ state: 'erased' });
  expect(await columnsWithMark()).toEqual([]);
  expect(lines.filter(hasMark)).toEqual([]);
  expect((await filesWithMark()).filter((file) => !file.startsWith('mail/'))).toEqual([]);
  const { keys } = service.service.parts.sealer;
  for (const account of [testAccount, '00000000']) {
    expect(await auditAccount(superuser, account, { keys })).toEqual([]);
  }
  await sealEvents(service);
  for (const account of [testAccount, '00000000']) {
    expect(await auditAccount(superuser, account, { keys })).toEqual([]);
  }
});
