import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { presentResult } from '../../src/qr/imports/present.ts';
import { wallsOf } from '../harness/builders/static-qrs.ts';
import { turnsDuring } from '../harness/event-loop.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let owner: Office;
const home = `/portal/${testAccount}/qr`;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web,worker' });
  owner = await signIn(service, 'owner');
});
afterAll(() => service.stop());

test('answers numbers and days beyond the database’s', async () => {
  expect((await owner.get(`${home}/uploads/1?page=3000000000`)).status).toBe(404);
  const wall = await wallsOf(service).create();
  for (const query of ['from=0001-01-01', 'until=9999-12-30', 'until=9999-12-31']) {
    expect((await owner.get(`${home}/static/${wall.id}?${query}`)).status, query).toBe(200);
  }
});

test('shows a hundred failed rows of an upload per page, with links to the others', async () => {
  const items = JSON.stringify({ total_count: 250, data: Array.from({ length: 250 }, () => ({})) });
  const sent = await owner.send(`${home}/uploads`, { name: 'qr.json', content: items });
  const address = sent.location ?? '';
  const first = await vi.waitFor(
    async () => {
      const shown = await owner.get(address);
      expect(shown.text).toContain('<td');
      return shown;
    },
    { timeout: 20_000 },
  );
  const rowsOf = (text: string): number[] =>
    [...text.matchAll(/<th[^>]*scope="row"[^>]*>(\d+)</g)].map(([, row]) => Number(row));
  expect(rowsOf(first.text)).toEqual(Array.from({ length: 100 }, (_none, row) => row + 1));
  expect(first.text).toContain('page=1&amp;from=100');
  const last = await owner.get(`${address}?page=1&from=200`);
  expect(rowsOf(last.text)).toEqual(Array.from({ length: 50 }, (_none, row) => row + 201));
  expect(last.text).toContain('page=1&amp;from=100');
});

test('yields to other work while it presents a page of failed rows', async () => {
  const fault = { message: 'Wrong.', error_code: 'field.required', parameters: { wanted: 'a' } };
  const row = { index: 1, status: 'rejected', errors: Array.from({ length: 7 }, () => fault) };
  const rows = JSON.stringify(Array.from({ length: 1_000 }, () => row));
  const batch = { id: 1, state: 'completed', error: null, total_count: 1_000 } as never;
  let text = '';
  const turns = await turnsDuring(async () => {
    text = await presentResult({ batch, page: 1, pages: 1, rows });
  });
  expect(turns).toBeGreaterThanOrEqual(9);
  expect(text).not.toContain('parameters');
  expect(JSON.parse(text).data).toHaveLength(1_000);
});
