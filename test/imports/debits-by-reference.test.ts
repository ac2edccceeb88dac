import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KindName } from '../../src/imports/index.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openAccount } from '../webhooks/account.ts';
import { type ImportDesk, openDesk, staff } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
let office: Office;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
  office = await signIn(service, 'collections');
});
afterAll(() => service.stop());

const member = (external_reference: string, more = {}) =>
  signedAdhesion(service, { external_reference, ...more });
const upload = async (lines: string[], kind: KindName = 'debit_request') =>
  (await desk.upload(lines.join('\r\n'), 'debitos.csv', kind)).import;
const faultsOf = async (id: number) => {
  const pages = await desk.imports.remarked(staff, id, { from: 0, most: 10 });
  return pages.flatMap(({ faults }) =>
    faults.flatMap(([row, all]) => all.map(({ path, message }) => [row, path[0], message])),
  );
};
const debitsOf = async (mandates: number[]) =>
  await service.sql`
    select mandate_id, reference from requests
    where account_id = ${testAccount} and kind = 'debit_request'
      and mandate_id = any(${mandates}::bigint[]) order by mandate_id`;

test('creates a month of debits from the members’ numbers, without mandate ids', async () => {
  const [ana, bea] = [await member('S-1'), await member('1002')];
  const one = await upload([
    'N° de socio;Vencimiento;Importe',
    `S-1;${desk.due};100`,
    `1002;${desk.due};200`,
    'Total;;300',
  ]);
  expect(one).toMatchObject({ faulty_count: 0, matched: { adhesion_reference: 0 } });
  await desk.confirm(one);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 2, rejected: 0 });
  expect(await debitsOf([ana, bea])).toEqual([
    { mandate_id: ana, reference: 'S-1' },
    { mandate_id: bea, reference: '1002' },
  ]);
});

test('refuses a reference of two signed mandates, of none, or of an unsigned or foreign one', async () => {
  const [first, second] = [await member('twice'), await member('twice')];
  await member('unsigned', { email: 'eva+nosign@example.com' });
  const other = await openAccount(service);
  await service.sql`
    update mandates set account_id = ${other.id} where id = ${await member('theirs')}`;
  const one = await upload([
    'Referencia;Vencimiento;Importe',
    `twice;${desk.due};1`,
    `nobody;${desk.due};x`,
    `unsigned;${desk.due};1`,
    `theirs;${desk.due};1`,
    `;${desk.due};1`,
  ]);
  const at = 'adhesion_reference';
  expect(await faultsOf(one.id)).toEqual([
    [
      2,
      at,
      `More than one signed mandate has this reference: ${second}, ${first}. Name one by its id.`,
    ],
    [3, at, 'No bank account mandate of the account has this reference.'],
    [3, 'first_total', expect.any(String)],
    [4, undefined, expect.stringMatching(/pending_to_sign/)],
    [5, at, 'No bank account mandate of the account has this reference.'],
    [6, 'adhesion_id', expect.stringMatching(/required/)],
  ]);
  const { text } = await office.get(`/portal/${testAccount}/imports/${one.id}`);
  expect(text).toContain(`Más de una adhesión firmada tiene esa referencia: ${second}, ${first}.`);
});

test('takes the signed mandate of a member who signed again', async () => {
  const former = await member('again');
  await service.call('PUT', `/adhesion/${former}/cancel`);
  const present = await member('again');
  const one = await upload(['Legajo;Vencimiento;Importe', `again;${desk.due};5`]);
  expect(one).toMatchObject({ faulty_count: 0 });
  await desk.confirm(one);
  await desk.until(one.id, 'completed');
  expect(await debitsOf([former, present])).toMatchObject([{ mandate_id: present }]);
});

test('checks references again when the rows are created', async () => {
  await member('later');
  const one = await upload(['Legajo;Vencimiento;Importe', `later;${desk.due};5`]);
  expect(one).toMatchObject({ faulty_count: 0 });
  await member('later');
  await desk.confirm(one);
  expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 0, rejected: 1 });
  expect(await desk.result(one.id)).toContain('More than one signed mandate');
});

test('prefers a mandate id, and requires its mandate to have the row’s reference', async () => {
  const [first] = [await member('both'), await member('both')];
  const one = await upload([
    'Adhesión;Referencia de la adhesión;Referencia;Vencimiento;Importe',
    `${first};both;F-1;${desk.due};1`,
    `${first};else;F-2;${desk.due};1`,
    `${first};;F-3;${desk.due};1`,
  ]);
  expect(one.matched).toMatchObject({
    adhesion_id: 0,
    adhesion_reference: 1,
    external_reference: 2,
  });
  expect(await faultsOf(one.id)).toEqual([
    [
      3,
      'adhesion_reference',
      `No mandate of the account has both id ${first} and this reference. Correct one of them, or leave one empty.`,
    ],
  ]);
});

test('finds a mandate by id among four signed ones with the same reference', async () => {
  const [oldest] = [
    await member('four'),
    ...(await Promise.all([1, 2, 3].map(() => member('four')))),
  ];
  const one = await upload([
    'Adhesión;Referencia de la adhesión;Vencimiento;Importe',
    `${oldest};four;${desk.due};1`,
    `;four;${desk.due};1`,
    `9999999999999999999;four;${desk.due};1`,
  ]);
  expect(await faultsOf(one.id)).toEqual([
    [3, 'adhesion_reference', expect.stringMatching(/^More than one signed mandate/)],
    [4, 'adhesion_reference', expect.stringMatching(/^No mandate of the account has both/)],
  ]);
});

test('matches the member’s number with the debit’s reference if the mandate id has a column', async () => {
  const id = await member('own');
  const one = await upload(['Adhesión;Legajo;Vencimiento;Importe', `${id};L-1;${desk.due};1`]);
  expect(one.matched).toMatchObject({ adhesion_id: 0, external_reference: 1 });
  const none = await upload(['Vencimiento;Importe', `${desk.due};1`]);
  const { text } = await office.get(`/portal/${testAccount}/imports/${none.id}`);
  expect(text).toContain('N.º de adhesión / Referencia de la adhesión');
});

test('finds card mandates by their references, and not those of bank accounts', async () => {
  const card = await signedCardAdhesion(service, { external_reference: 'card-1' });
  await member('bank-1');
  const year = Number(service.service.parts.clocks.business.today().year) + 1;
  const lines = ['Socio;Mes;Año;Importe', `card-1;1;${year};900`, `bank-1;1;${year};900`];
  const one = await upload(lines, 'card_debit_request');
  expect(await faultsOf(one.id)).toEqual([
    [3, 'card_adhesion_reference', 'No card mandate of the account has this reference.'],
  ]);
  await desk.confirm(one);
  await desk.until(one.id, 'completed');
  const made = await service.sql`
    select mandate_id from requests where kind = 'card_debit_request' and mandate_id = ${card}`;
  expect(made).toHaveLength(1);
});
