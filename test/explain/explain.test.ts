import { afterAll, beforeAll, expect, test } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { operatorReading, type Reader, readLife, tellLife } from '../../src/explain/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { noteDispute } from '../../src/money/disputes/index.ts';
import { sealAccount } from '../../src/money/ledger/index.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { settle, submittedDebit } from '../harness/builders/debits.ts';
import { type Office as FileOffice, openOffice } from '../harness/builders/office.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sendPayout } from '../harness/money.ts';
import { signIn } from '../harness/portal.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { file, pmcLines } from '../rails/files.ts';
import { type Player, playerOf } from '../scenarios/play.ts';
import { openAccount, register } from '../webhooks/account.ts';

let service: TestService;
let player: Player;
let office: FileOffice;
const holder: Reader = { ...operatorReading('es'), isOperator: false };

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  player = playerOf(service);
  office = await openOffice(service);
  const acting = { ...service.service.parts.base, actor: testOperator };
  await setAccount(acting)({ accountId: testAccount, payoutCbu: '2850590940090418135201' });
});
afterAll(async () => {
  await office.close();
  await service.stop();
});

const read = (name: string | number, account: string | null = null) =>
  readLife(service.service.parts.base)(String(name), account);

/** Returns the operator's text, one sentence per line. */
async function told(name: string | number, reader = operatorReading('en')): Promise<string> {
  const { title, sections } = tellLife(await read(name), reader);
  const sentences = sections.flatMap((one) => one.sentences.map(({ text }) => text));
  return [title, ...sentences].join('\n');
}

const explain = (...args: string[]) =>
  recaudo(['explain', ...args], { DATABASE_URL: service.databaseUrl });

test('lists the acts on a paid request, its journals’ amounts, and its payout', async () => {
  const id = await player.create({ first_total: 1000 });
  await player.pay(id, { channel: 'credit_card' });
  await player.move({ days: 30 });
  const order = { accountId: testAccount, reference: 'p1', amount: centavos(100) };
  await sendPayout(service.service.parts.base)({ ...order, actor: testOperator });
  const text = await told(id);
  expect(text).toContain(`Payment request ${id}`);
  expect(text).toMatch(/It was created, over the API with key .+\./);
  expect(text).toMatch(/It was paid with .+, 1000\.00.*\. It went from pending to paid\./);
  expect(text).toMatch(/A payment was tried with .+, 1000\.00.*through connector simulator\./);
  expect(text).toMatch(/\(collection\): .*owed by the channel debit 1000\.00/);
  expect(text).toMatch(/\(became available\): pending debit [\d.]+; available credit/);
  expect(text).toContain('1000.00 became available, and the next payout, p1 of 1.00, went to');
  expect(text).toContain('No webhook received it.');
  await sealAccount(service.sql, testAccount, service.service.parts.sealer);
  const life = await read(id);
  expect(life.faults).toEqual([]);
  expect(life.journals.map(({ kind, seal }) => [kind, typeof seal])).toEqual([
    ['collection', 'object'],
    ['release', 'object'],
  ]);
});

test('lists a partial refund with its journals', async () => {
  const id = await player.create({ first_total: 500 });
  await player.pay(id, { channel: 'credit_card' });
  const { status, text } = await service.call('POST', `/payment-request/${id}/refund`, {
    body: { refund: { amount: 100 } },
    headers: { 'idempotency-key': 'r-1' },
  });
  expect(status, text).toBeLessThan(300);
  await player.move({ days: 2 });
  const life = await read(id);
  expect(life.faults).toEqual([]);
  expect(life.journals.map(({ kind }) => kind).slice(0, 3)).toEqual([
    'collection',
    'refund_hold',
    'refund',
  ]);
  expect(await told(id)).toMatch(/A refund of 100\.00 was requested on .+ and arrived on /);
});

test('shows a dispute’s connector to the operator only', async () => {
  const id = await player.create();
  await player.pay(id, { channel: 'credit_card' });
  const [attempt] = await service.sql<{ id: number }[]>`
    select id from attempts where request_id = ${id}`;
  const change = {
    ...{ account_id: testAccount, request_id: id, attempt_id: attempt?.id ?? 0 },
    ...{ connector: 'acquirer', name: 'D-77', revision: 1 },
    ...{ amount: centavos(143_050), taken: centavos(143_050), evidence_due_at: null },
    reason: 'not recognised',
    state: 'evidence_due',
  } as const;
  await noteDispute(service.service.parts.base)(change, { kind: 'connector', name: 'acquirer' });
  const text = await told(id);
  expect(text).toContain('The payer has disputed 1430.50 since');
  expect(text).toContain('Connector acquirer calls it D-77.');
  expect(text).toContain('The state of its dispute changed, as connector acquirer reported.');
  const own = await told(id, holder);
  expect(own).toContain('El pagador desconoce');
  expect(own).not.toMatch(/acquirer|D-77|simulator/);
});

test('lists a rejected debit’s runs, with code and reason', async () => {
  const { debit } = await submittedDebit(service);
  await settle(service, debit, { code: 'R08' });
  const text = await told(debit);
  expect(text).toContain(`Bank debit ${debit}`);
  expect(text).toMatch(/Run 1 was submitted on .+, to debit 1430\.50 on .+, and has ended\./);
  expect(text).toMatch(/A payment was refused with .+Reason: R08: Order not to pay\. It went from/);
  expect(text).toContain('No money moved.');
});

test('shows file and line of imported money to the operator only', async () => {
  const made = await office.request();
  const paidOn = office.compact();
  const lines = pmcLines(paidOn, [{ code: made.code, amount: 143_050, paidOn }]);
  const from = await office.write(file(lines));
  const env = { DATABASE_URL: service.databaseUrl, PMC_COMPANY: '0515' };
  expect((await recaudo(['rails', 'import', 'pmc', from], env)).code).toBe(0);
  expect(await told(made.id)).toMatch(
    /Line 2 of file \d+ \(file-1\.txt, pmc, [\d-]+\) says: paid, 1430\.50\./,
  );
  const own = await told(made.id, holder);
  expect(own).toMatch(/Un archivo de pmc del [\d-]+ dice: pagado, /);
  expect(own).not.toContain('file-1.txt');
});

test('finds a QR by its full id, by its short id with the account, and by its number', async () => {
  const qrs = callerOf(service);
  await qrs.save([itemOf(service, 'X1')]);
  await qrs.pay('X1');
  const { row } = await read(full('X1'));
  expect((await read('X1', testAccount)).row.id).toBe(row.id);
  expect((await read(row.id)).row.code).toBe(full('X1'));
  expect(await told(full('X1'))).toContain(`QR ${full('X1')}`);
});

test('shows at most 100 events and deliveries of an entity, and says so', async () => {
  const other = await openAccount(service);
  const hook = await register(service, other.key, 'http://127.0.0.1:9/hook');
  const { body } = await service.call('POST', '/payment-request', {
    key: other.key,
    body: paymentRequestBody(service),
  });
  const superuser = connectSuperuser(service.databaseUrl);
  const id = String(body.id);
  await superuser`
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    select ${other.id}, 'payment_request', ${id}, 1 + no, 9000000000 + no,
      'payment_request.paid', now(), 'system', '{"state":"paid"}'
    from generate_series(1, 300) as no`;
  await superuser`
    insert into deliveries (account_id, webhook_id, entity, entity_id, version, event_id, position,
      state, attempts, ended_at)
    select ${other.id}, ${hook.id}, 'payment_request', ${id}, 1 + no, 9000000000 + no,
      9000000000 + no, 'delivered', 10000, now() from generate_series(1, 150) as no`;
  await superuser`
    insert into delivery_attempts (account_id, webhook_id, event_id, no, at, status, ms)
    select ${other.id}, ${hook.id}, 9000000001, no, now(), 500, 5
    from generate_series(1, 10000) as no`;
  await superuser.end();
  const text = await told(id);
  expect(text).toContain('100 events in between are not shown.');
  expect(text).toContain('Only the first 100 deliveries are shown.');
  expect(text).toMatch(
    /payment_request\.paid reached http:\/\/127\.0\.0\.1:9\/hook \(10000 attempts\)\. The last answer was HTTP 500\./,
  );
  expect(text.match(/HTTP 500/g)).toHaveLength(1);
});

test('shows the latest results of a request with thousands', async () => {
  const id = await player.create();
  await player.pay(id, { channel: 'credit_card' });
  const superuser = connectSuperuser(service.databaseUrl);
  await superuser`
    insert into results
    select (jsonb_populate_record(r, jsonb_build_object(
      'id', 9000000000 + no, 'source', 'test', 'source_ref', no::text,
      'informed_at', r.informed_at + no * interval '1 second'))).*
    from results r cross join generate_series(1, 6000) as no
    where r.request_id = ${id}`;
  await superuser.end();
  const { results, leftOut } = await read(id);
  expect(leftOut.results).toBe(true);
  expect(results.map((one) => one.id)).toEqual(
    Array.from({ length: 50 }, (_, index) => 9000005951 + index),
  );
});

test('answers the command in sentences, JSON and Spanish, and refuses unknown and foreign ids', async () => {
  const id = String(await player.create());
  const english = await explain(id);
  expect([english.code, english.stderr]).toEqual([0, '']);
  expect(english.stdout).toContain(`It belongs to account ${testAccount}.`);
  expect((await explain(id, '--lang', 'es')).stdout).toContain('Ahora está pendiente.');
  const json = JSON.parse((await explain(id, '--json')).stdout);
  expect(json).toMatchObject({
    request: { account: testAccount, id: Number(id), kind: 'payment_request', state: 'pending' },
    steps: [{ what: 'created' }],
    journals: [],
    faults: [],
  });
  for (const args of [['999999999'], ['nothing'], [id, '--account', 'B1B2C3D4']]) {
    const refused = await explain(...args);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('There is no request with this id');
  }
});

test('shows an account only its own history in the portal, and no journals to a role without money', async () => {
  const id = await player.create();
  await player.pay(id, { channel: 'credit_card' });
  const home = `/portal/${testAccount}`;
  const owner = await signIn(service, 'owner');
  expect((await owner.get(`${home}/requests/${id}`)).text).toContain(`/requests/${id}/history`);
  const page = await owner.get(`${home}/requests/${id}/history`);
  expect(page.status).toBe(200);
  expect(page.text).toContain('En los libros');
  expect(page.text).not.toContain('simulator');
  expect((await owner.get(`${home}/debits/${id}/history`)).status).toBe(404);
  const collector = await signIn(service, 'collections');
  expect((await collector.get(`${home}/requests/${id}/history`)).text).not.toContain('Asiento');
  const { id: elsewhere } = await openAccount(service);
  const other = await signIn(service, 'owner', { accountId: elsewhere });
  expect((await other.get(`/portal/${elsewhere}/requests/${id}/history`)).status).toBe(404);
  const operator = await signIn(service, 'operator');
  const found = await operator.get(`/portal/operator/history?id=${id}`);
  expect(found.text).toContain('por el conector simulator');
  expect((await operator.get('/portal/operator/history?id=77777777')).status).toBe(404);
});

test('reports a forged journal, a journal with another sum, and a result without its journal', async () => {
  const [changed, removed] = [await player.create(), await player.create()];
  for (const id of [changed, removed]) await player.pay(id, { channel: 'credit_card' });
  const { sealer } = service.service.parts;
  await sealEvents(service);
  await sealAccount(service.sql, testAccount, sealer);
  const before = await read(changed);
  expect(before.faults).toEqual([]);
  const [journal] = before.journals;
  const superuser = connectSuperuser(service.databaseUrl);
  await superuser`
    update journals set amounts = (select array_agg(2 * amount) from unnest(amounts) as amount)
    where id = ${journal?.id ?? 0}`;
  await superuser`delete from journals where request_id = ${removed}`;
  await superuser`
    insert into journals (account_id, id, kind, result_id, request_id, at, on_date, accounts, amounts)
    select account_id, 999, kind, result_id, request_id, now(), on_date, accounts, amounts
    from journals where id = ${journal?.id ?? 0}`;
  await superuser.end();
  const result = before.results[0]?.id;
  expect((await read(changed)).faults).toEqual(
    expect.arrayContaining([
      { what: 'forged', journal: 999 },
      { what: 'unsealed', journal: 999 },
      { what: 'forged', journal: journal?.id },
      { what: 'figures', journal: journal?.id, result },
      { what: 'repeated', result },
    ]),
  );
  expect((await read(removed)).faults).toEqual([
    { what: 'missing', result: (await read(removed)).results[0]?.id },
  ]);
  const text = await told(changed);
  expect(text).toContain('Journal 999 was not written by this service.');
  expect(text).toContain('the books do not add up here');
});
