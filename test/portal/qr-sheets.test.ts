import { afterAll, beforeAll, expect, test } from 'vitest';
import { callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
});
afterAll(() => service.stop());

test('prints at most 600 codes on a sheet, with a link to the next', async () => {
  const items = Array.from({ length: 601 }, (_, index) => itemOf(service, full(`S${index}`)));
  expect((await callerOf(service).save(items)).status).toBe(201);
  const owner = await signIn(service, 'owner');
  const address = `/portal/${testAccount}/qr/sheet.html?since=2020-01-01`;
  const first = await owner.get(address);
  expect(first.text.match(/<figure>/g)).toHaveLength(600);
  const [, next = ''] = /<p class="more"><a href="([^"]+)">/.exec(first.text) ?? [];
  expect(next).toMatch(/&amp;page=2&amp;after=dynamic-\d+$/);
  // A code that is gone by now moves no other to the first part.
  await callerOf(service).remove('S0');
  const second = await owner.get(next.replaceAll('&amp;', '&'));
  expect(second.text.match(/<figure>/g)).toHaveLength(1);
  expect(second.text).toContain(full('S600'));
  expect(second.text).not.toContain('class="more"');
});
