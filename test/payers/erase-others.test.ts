import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { recaudo } from '../cli/run.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { advance, inDays } from '../harness/builders/clock.ts';
import { adhesionBody, cbuEndingIn } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openDesk } from '../imports/desk.ts';

const cuit = '23314445554';
const email = 'zoraida@example.com';
const cbu = cbuEndingIn('7391', 77);

let service: TestService;
let superuser: Sql;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,worker' });
  superuser = connectSuperuser(service.databaseUrl);
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

const payers = (...args: string[]) =>
  recaudo(['payers', ...args], { DATABASE_URL: service.databaseUrl });
const erase = (...args: string[]) => payers('erase', '--reason', 'EX-2026-114', '--json', ...args);

test('keeps another person’s e-mails at a shared address, unless the erasure names the address', async () => {
  const shared = 'casa@example.com';
  const { body: mother } = await service.call('POST', '/adhesion', {
    body: adhesionBody({ cbu_holder_id_number: Number(cuit), email: shared }),
  });
  const { body: son } = await service.call('POST', '/payment-request', {
    body: paymentRequestBody(service, { payer_name: 'Hijo', payer_email: shared }),
  });
  await superuser`
    insert into mails (account_id, id, recipient, subject, body, link_kind, link_id, link_no, state,
      attempts, next_at, ended_at)
    values (${testAccount}, 7001, ${shared}, 'Cuota', 'Hola Hijo', 'checkout', ${son.id}, 1, 'sent',
      1, now(), now())`;
  await superuser`
    insert into payer_mail_stops (account_id, address, reason, at, request_id)
    values (${testAccount}, ${shared}, 'unsubscribed', now(), ${son.id})`;
  const exported = (await payers('export', '--cuit', cuit)).stdout;
  expect(exported).toContain(shared);
  expect(exported).not.toContain('Hijo');
  await service.call('PUT', `/adhesion/${mother.id}/cancel`);
  expect((await erase('--cuit', cuit)).code).toBe(0);
  const left = async () => [
    ...(await superuser`select id from mails where recipient = ${shared} and id = 7001`),
    ...(await superuser`select reason from payer_mail_stops where address = ${shared}`),
  ];
  expect(await left()).toEqual([{ id: 7001 }, { reason: 'unsubscribed' }]);
  await advance(service, { days: 60 });
  const both = await erase('--cuit', cuit, '--email', shared);
  expect([both.code, both.stdout, both.stderr]).toMatchObject([0, expect.anything(), '']);
  expect(await left()).toEqual([]);
});

test('ignores the account’s own CUIT in texts when it searches for a person', async () => {
  const { id, key } = await anotherAccount(service);
  const [account] = await superuser<{ cuit: string }[]>`select cuit from accounts where id = ${id}`;
  const own = account?.cuit ?? '';
  const body = paymentRequestBody(service, { description: `Club, CUIT ${own}` });
  expect((await service.call('POST', '/payment-request', { body, key })).status).toBe(201);
  const found = await erase('--cuit', own, '--account', id, '--dry-run');
  expect(JSON.parse(found.stdout)).toEqual({ state: 'found', accounts: [], needed: [] });
});

test('exports and erases a person of whom an account has only an imported row or an e-mail', async () => {
  const desk = openDesk(service);
  const address = 'filomena@example.com';
  const heading = 'Socio;Concepto;Vencimiento;Importe;Referencia;Email';
  const row = `Filomena;Taller;not a day;100,00;F-1;${address}`;
  const { import: one } = await desk.upload(
    [heading, row, `Otra Socia;Taller;${inDays(service, 20)};100,00;O-1;otra@example.com`].join(
      '\r\n',
    ),
  );
  await desk.confirm(one);
  await desk.until(one.id, 'completed');
  const { id: other } = await anotherAccount(service);
  await superuser`
    insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at, ended_at)
    values (${other}, 7002, ${address}, 'Cuota', 'Hola Filomena', 'sent', 1, now(), now())`;
  const person = ['--cuit', '27209999999', '--email', address];
  const { accounts } = JSON.parse((await payers('export', ...person)).stdout);
  expect(accounts).toHaveLength(2);
  expect(accounts).toContainEqual(
    expect.objectContaining({
      account: testAccount,
      imported_rows: [expect.objectContaining({ cells: expect.arrayContaining([address]) })],
    }),
  );
  const dry = await payers('erase', '--reason', 'EX-1', ...person, '--dry-run');
  expect(dry.stdout).toContain(`${testAccount}: imported rows or e-mails found`);
  expect(JSON.parse((await erase(...person)).stdout)).toMatchObject({ state: 'erased' });
  const left = await superuser`
    select 1 from import_pages where rows like ${`%${address}%`}
    union all select 1 from mails where recipient = ${address}`;
  expect(left).toEqual([]);
  expect(JSON.parse((await payers('export', ...person)).stdout).accounts).toEqual([]);
});

test('suggests searching by CUIT when given a DNI', async () => {
  const found = await payers('erase', '--reason', 'EX-1', '--cuit', '31444555', '--dry-run');
  expect(found.stdout).toContain('a DNI does not match rows with the CUIT');
});

test('keeps connectors’ notices that contain only a longer address or number', async () => {
  const bodies = [
    { to: 'mi.zoraida@example.com' },
    { to: 'zoraida@example.com.ar' },
    { trx: `9${cuit}` },
    { to: 'ZORAIDA@Example.com' },
    { payer: '23-31444555-4' },
  ].map((body) => JSON.stringify(body));
  await superuser`
    insert into connector_letters (id, connector, digest, body, fault, heard_at, state, decided_at,
      decided_by, note)
    select no + 8000, 'bank', 'digest ' || no, body, '', now(), 'discarded', now(), 'system', ''
    from unnest(${bodies}::text[]) with ordinality as letter (body, no)`;
  expect((await erase('--cuit', cuit, '--email', email)).code).toBe(0);
  const left = await superuser<{ body: string }[]>`
    select body from connector_letters where id > 8000 order by id`;
  expect(left.map(({ body }) => body)).toEqual([...bodies.slice(0, 3), '{}', '{}']);
});

test('still detects a row forged before its erasure', async () => {
  const { id: account, key } = await anotherAccount(service);
  const call = async (path: string, body: unknown) => {
    const answer = await service.call('POST', path, { body, key });
    expect([200, 201], answer.text).toContain(answer.status);
    return answer.body.id as number;
  };
  const address = 'forged@example.com';
  const fields = { payer_email: address };
  const paid = await call('/payment-request', paymentRequestBody(service, fields));
  await call(`/sandbox/pay/${paid}`, { channel: 'credit_card' });
  const returned = await call('/payment-request', paymentRequestBody(service, fields));
  await call(`/sandbox/pay/${returned}`, {});
  await advance(service, { days: 60 });
  const refund = await call(`/payment-request/${returned}/refund`, { refund: { amount: 5, cbu } });
  const ended = ['refunds', 'done', String(refund), '--account', account, '--reference', 'T-2'];
  const done = await recaudo(ended, { DATABASE_URL: service.databaseUrl });
  expect(done.stderr).toBe('');
  await sealEvents(service);
  const faults = async () => {
    const { keys } = service.service.parts.sealer;
    return (await auditAccount(superuser, account, { keys })).map(({ what }) => what);
  };
  expect(await faults()).toEqual([]);
  await superuser`update attempts set amount = amount + 1 where request_id = ${paid}`;
  await superuser`update refunds set refunded_before = 1 where id = ${refund}`;
  const erased = await erase('--cuit', cuit, '--email', address, '--account', account);
  expect([erased.code, erased.stderr]).toEqual([0, '']);
  await sealEvents(service);
  const found = (await faults()).join('\n');
  expect(found).toMatch(/attempt \d+ was not written by this service/);
  expect(found).toContain(`refund ${refund} was not written by this service`);
});
