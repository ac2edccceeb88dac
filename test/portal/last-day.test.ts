import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

/** PostgreSQL cannot read the end of this day as Temporal writes it, with six digits for its year. */
const lastDay = '31-12-9999';

let service: TestService;
let owner: Office;
let operator: Office;
beforeAll(async () => {
  service = await startService({ ...withoutWorker, ROLES: 'payments,web' });
  owner = await signIn(service, 'owner');
  operator = await signIn(service, 'operator');
});
afterAll(() => service?.stop());

describe(`until ${lastDay}`, () => {
  const until = `to=${lastDay}`;

  test.each([`settings/activity?${until}`, `log?${until}`, `log?to=9999-12-31`])(
    'lists %s',
    async (path) => {
      expect((await owner.get(`/portal/${testAccount}/${path}`)).status).toBe(200);
    },
  );

  test.each([until, 'to=9999-12-31'])('lists the audit log with %s', async (query) => {
    expect((await operator.get(`/portal/operator/audit-log?${query}`)).status).toBe(200);
  });

  async function createKey(expires: string) {
    const { text } = await owner.get(`/portal/${testAccount}/integrations/keys/new`);
    const action = /action="([^"]+\/create)"/.exec(text)?.[1] ?? '';
    return await owner.post(action, { name: 'Oficina', permissions: 'read', expires, ranges: '' });
  }

  test.each([lastDay, '9999-12-31', '+010000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z'])(
    'creates no key that expires at %s, and explains this at its field',
    async (expires) => {
      const { status, text } = await createKey(expires);
      expect([status, text]).toEqual([400, expect.stringContaining('href="#expires"')]);
    },
  );

  test('creates a key that expires the day before', async () => {
    expect((await createKey('30-12-9999')).text).toContain('rk_test_');
  });
});
