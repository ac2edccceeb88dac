import { afterAll, beforeAll, expect, test } from 'vitest';
import { expirySweep } from '../../src/requests/index.ts';
import { ask, storeAccounts } from '../harness/many-accounts.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService(withoutWorker);
  await storeAccounts(service.sql, 3);
});
afterAll(() => service.stop());

test('expires other accounts’ requests when those of one account cannot expire', async () => {
  const { sql } = service;
  await ask(sql, { numbers: [1, 2, 3], last: 1_000_000, each: 2 });
  await sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$;
    create trigger refuses before update on requests for each row
      when (new.account_id = 'A0000002') execute function refuse()`);
  const sweep = expirySweep(service.service.parts.base, 'payment_request', 'requests expired');
  const later = Temporal.Instant.from('2027-01-02T12:00:00Z');
  const pending = () => sql`
    select distinct account_id from requests where state = 'pending' and account_id like 'A0%'`;
  await expect(sweep.run(later)).rejects.toThrow('Not done in some accounts: requests expired.');
  expect(await pending()).toEqual([{ account_id: 'A0000002' }]);
  await sql`drop trigger refuses on requests`;
  expect(await sweep.run(later)).toBe(2);
  expect(await pending()).toEqual([]);
});

test('expires a request the day after its last due day, not on it', async () => {
  const { sql } = service;
  await ask(sql, { numbers: [1], last: 2_000_000 });
  const [request] = await sql<{ id: number; last_due: Temporal.PlainDate }[]>`
    select id, last_due from requests where account_id = 'A0000001' and state = 'pending'`;
  const sweep = expirySweep(service.service.parts.base, 'payment_request', 'requests expired');
  const at = (time: string) => Temporal.Instant.from(`${request?.last_due}T${time}-03:00`);
  expect(String(await sweep.nextDue())).toBe(String(at('00:00:00').add({ hours: 24 })));
  expect(await sweep.run(at('23:59:59'))).toBe(0);
  expect(await sweep.run(at('00:00:00').add({ hours: 24 }))).toBe(1);
  const [row] = await sql`select state from requests where id = ${request?.id ?? 0}`;
  expect(row?.state).toBe('expired');
});
