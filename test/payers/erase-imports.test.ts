import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { erasePerson } from '../../src/payers/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { testOperator } from '../harness/actors.ts';
import { advance, inDays } from '../harness/builders/clock.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { connectSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openDesk, staff } from '../imports/desk.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const email = 'zoraida@example.com';

let service: TestService;
let superuser: Sql;
/** Has one connection, for a lock. */
let locker: Sql;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,worker' });
  superuser = connectSuperuser(service.databaseUrl);
  locker = connectSuperuser(service.databaseUrl);
});
afterAll(async () => {
  await superuser.end();
  await locker.end();
  await service.stop();
});

const erase = () =>
  erasePerson(
    { ...service.service.parts.base, actor: testOperator },
    {
      ...{ accountIds: [testAccount], cuit: '20055361682', emails: [email], reason: 'EX-1' },
      ...{ dryRun: false, cardReversalDays: 30 },
    },
  );

test('keeps the cells of an import that begins during an erasure, and stops before requests', async () => {
  const desk = openDesk(service);
  const { import: ended } = await desk.upload(desk.members(2));
  await desk.confirm(ended);
  await desk.until(ended.id, 'completed');
  const body = paymentRequestBody(service, { payer_name: 'Zoraida', payer_email: email });
  const { body: request } = await service.call('POST', '/payment-request', { body });
  await advance(service, { days: 60 });
  const heading = 'Socio;Concepto;Vencimiento;Importe;Referencia;Email';
  const row = (name: string, reference: string, to: string) =>
    `${name};Taller;${inDays(service, 20)};100,00;${reference};${to}`;
  const sheet = [
    heading,
    row('Zoraida', 'Z-1', email),
    row('Otra Socia', 'O-1', 'otra@example.com'),
  ];
  const { erasing, draft } = await locker.begin(async (tx) => {
    await tx`select from import_pages where import_id = ${ended.id} for update`;
    const begun = erase();
    await vi.waitFor(
      async () =>
        expect(
          await superuser`
            select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        ).toHaveLength(1),
      { timeout: 60_000 },
    );
    const uploaded = await desk.upload(sheet.join('\r\n'));
    return { erasing: { begun }, draft: uploaded.import };
  });
  const { state, accounts } = await erasing.begun;
  expect(state).toBe('partly_erased');
  const needed = [{ what: 'import', id: draft.id, why: 'it is draft' }];
  expect(accounts).toEqual([{ accountId: testAccount, mandates: 0, requests: 0, needed }]);
  const cells = async () => {
    const rows = await superuser<{ text: string }[]>`
      select rows as text from import_pages where import_id = ${draft.id}
      union all select way from imports where id = ${draft.id}`;
    return rows.map(({ text }) => text).join('\n');
  };
  expect((await cells()).match(/Zoraida/g)?.length).toBe(2);
  expect(await cells()).toContain('Otra Socia');
  expect((await service.call('GET', `/payment-request/${request.id}`)).body.payer_name).toBe(
    'Zoraida',
  );
  await desk.imports.discard(staff, draft.id);
  expect((await erase()).state).toBe('erased');
  expect(await cells()).not.toContain('Zoraida');
});
