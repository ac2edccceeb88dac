import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { allPermissions, type KeyPermission } from '../../src/accounts/index.ts';
import { expectError } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openAccount } from '../webhooks/account.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Operation {
  method: string;
  path: string;
  needed: string;
  inCodes: boolean;
}

let service: TestService;
let operations: Operation[];
beforeAll(async () => {
  service = await startService();
  const { paths } = (await service.call('GET', '/openapi.json', { key: null })).body;
  operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const needed = operation['x-permission'];
      if (needed === undefined) return [];
      const inCodes = JSON.stringify(operation.responses['403']).includes('Qr');
      const address = path.replaceAll(/\{\w+\}/g, '1');
      return [{ method: method.toUpperCase(), path: address, needed, inCodes }];
    }),
  );
});
afterAll(() => service.stop());

const covers = (permission: KeyPermission, needed: string): boolean =>
  permission === needed || needed.endsWith(`:${permission}`);

test('defines only the permissions that calls need, besides read and write', () => {
  const asked = new Set(operations.map(({ needed }) => needed));
  expect([...asked, 'read', 'write'].sort()).toEqual([...allPermissions].sort());
});

test.each(allPermissions)(
  'allows a key with %s exactly the calls that the permission covers',
  async (permission) => {
    const { key } = await openAccount(service, [permission]);
    for (const { method, path, needed, inCodes } of operations) {
      const answer = await service.call(method, path, {
        key,
        ...(method !== 'GET' && { body: {} }),
      });
      if (covers(permission, needed)) {
        expect([method, path, answer.status]).not.toEqual([method, path, 403]);
      } else {
        expectError(answer, 403, inCodes ? 'H403' : 403);
        expect(answer.body).toMatchObject({ error_code: 'permission_missing' });
        expect(answer.body.message).toContain(`"${needed}"`);
      }
    }
  },
);

test('combines the permissions of one key', async () => {
  const { key } = await openAccount(service, ['refunds:write', 'reports:read']);
  const status = async (method: string, path: string) =>
    (await service.call(method, path, { key, ...(method === 'POST' && { body: {} }) })).status;
  expect(await status('GET', '/payment-request')).toBe(403);
  expect(await status('POST', '/payment-request')).toBe(403);
  expect(await status('POST', '/payment-request/1/refund')).toBe(400);
  expect(await status('GET', '/payment-request/1/refund')).toBe(403);
});
