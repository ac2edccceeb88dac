import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cbu } from '../harness/builders/mandates.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let owner: Office;
const home = `/portal/${testAccount}`;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  owner = await signIn(service, 'owner');
});
afterAll(() => service.stop());

const lines = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n');

test('mandates and debits that are filtered come whole as a file, formulas disarmed, no account number in it', async () => {
  const ids: number[] = [];
  for (let index = 0; index < 60; index += 1) {
    const { body } = await service.call('POST', '/adhesion', {
      body: adhesionBody({ adhesion_holder_name: `=Socio ${index}` }),
    });
    ids.push(body.id);
  }
  await createDebit(service, ids[0] ?? 0, { external_reference: 'D-1' });
  const list = await owner.get(`${home}/mandates?q=socio`);
  expect(list.text).toContain(`${home}/mandates/export.csv?q=socio`);
  const file = await owner.get(`${home}/mandates/export.csv?q=socio`);
  expect(file.headers.get('content-disposition')).toContain('adhesiones.csv');
  const [head = '', ...rows] = lines(file.text);
  expect(head).toContain('Adhesión,Clase,Estado');
  expect(rows).toHaveLength(60);
  expect(file.text).not.toContain(cbu);
  expect(file.text).not.toMatch(/(^|,)=/m);
  const debits = await owner.get(`${home}/debits/export.csv?q=D-1`);
  expect(lines(debits.text)).toHaveLength(2);
  expect(debits.text).toContain('1430.50');
  expect(lines((await owner.get(`${home}/debits/export.csv?state=paid`)).text)).toHaveLength(1);
  const workbook = await owner.get(`${home}/debits/export.xlsx?lang=en`);
  expect([workbook.status, workbook.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringContaining('debits.xlsx'),
  ]);
  const words = await owner.get(`${home}/debits/export.csv?day=nothing&kind=x&behind=9`);
  expect(lines(words.text)).toHaveLength(2);
});
