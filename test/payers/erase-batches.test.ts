import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { recaudo, startRecaudo } from '../cli/run.ts';
import { advance } from '../harness/builders/clock.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

// Each command is a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const cuit = '23314445554';
const email = 'zoraida@example.com';
/** Makes four batches of up to 200 rows. */
const count = 650;
const args = ['payers', 'erase', '--cuit', cuit, '--reason', 'EX-2026-114', '--json'];

let service: TestService;
let superuser: Sql;
/** Has one connection, for locks. */
let locker: Sql;
let env: Record<string, string>;
/** Ids in the order of the batches. */
let ids: number[];

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,worker' });
  superuser = connectSuperuser(service.databaseUrl);
  locker = connectSuperuser(service.databaseUrl);
  env = { DATABASE_URL: service.databaseUrl };
  const fields = { cbu_holder_id_number: Number(cuit), email, adhesion_holder_name: 'Zoraida Paz' };
  const { body: mandate } = await service.call('POST', '/adhesion', { body: adhesionBody(fields) });
  await createDebit(service, mandate.id);
  for (let made = 0; made < count; made += 50) {
    await Promise.all(
      Array.from({ length: 50 }, () => {
        const body = paymentRequestBody(service, { payer_name: 'Zoraida Paz', payer_email: email });
        return service.call('POST', '/payment-request', { body });
      }),
    );
  }
  await service.call('PUT', `/adhesion/${mandate.id}/cancel`);
  await advance(service, { days: 60 });
  const rows = await superuser<{ id: number }[]>`select id from requests order by id`;
  ids = rows.map(({ id }) => id);
  expect(ids).toHaveLength(count + 1);
});
afterAll(async () => {
  await superuser.end();
  await locker.end();
  await service.stop();
});

const erasedEvents = async (): Promise<string[]> => {
  const rows = await superuser<{ name: string }[]>`
    select entity || ' ' || entity_id as name from events where type like '%.payer_erased'`;
  return rows.map(({ name }) => name);
};

const faults = async (): Promise<string[]> => {
  await sealEvents(service);
  const { keys } = service.service.parts.sealer;
  return (await auditAccount(superuser, testAccount, { keys })).map(({ what }) => what);
};

/** Counts the commands' sessions: all of them, or those that wait for a lock. */
const sessions = async (waiting: boolean): Promise<number> => {
  const rows = await superuser`
    select from pg_stat_activity where datname = current_database()
      and application_name like 'recaudo payers%'
      and (not ${waiting}::boolean or wait_event_type = 'Lock')`;
  return rows.length;
};

/**
 * Stops erasures at the update of a request, and calls `run` when one waits there. The lock needs no
 * transaction id, which would delay seals.
 */
async function whileStopped<T>(
  id: number,
  start: () => T,
  run: (started: T) => Promise<unknown>,
): Promise<T> {
  await superuser.unsafe(`
    create or replace function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(77); return new; end $$;
    create trigger wait_for_test before update on requests for each row
      when (new.id = ${id}) execute function wait_for_test()`);
  const started = await locker.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(77)`;
    const begun = { value: start() };
    await vi.waitFor(async () => expect(await sessions(true)).toBe(1), 60_000);
    await run(begun.value);
    return begun;
  });
  await vi.waitFor(async () => expect(await sessions(true)).toBe(0), 60_000);
  return started.value;
}

const dropStop = () => superuser.unsafe('drop trigger wait_for_test on requests');

test('keeps an erasure’s finished batches when it is killed, and rolls back the current one', async () => {
  await whileStopped(
    ids[250] ?? 0,
    () => startRecaudo(args, env).child,
    async (child) => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      expect((await ended)[1]).toBe('SIGKILL');
    },
  );
  await vi.waitFor(async () => expect(await sessions(false)).toBe(0), 60_000);
  await dropStop();
  expect(await erasedEvents()).toHaveLength(200);
  expect(await faults()).toEqual([]);
});

test('stops before a batch with a row that came into use after the first check', async () => {
  const id = ids[430] ?? 0;
  const setState = (state: string) =>
    superuser`update requests set state = ${state} where id = ${id}`;
  const erasing = await whileStopped(
    ids[250] ?? 0,
    () => ({ ran: recaudo(args, env) }),
    () => setState('pending'),
  );
  const { code, stdout } = await erasing.ran;
  await setState('expired');
  await dropStop();
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    state: 'partly_erased',
    accounts: [{ account: testAccount, requests: 200, mandates: 0 }],
    needed: [{ account: testAccount, what: 'payment_request', id, why: 'it is pending' }],
  });
  expect(await erasedEvents()).toHaveLength(400);
});

test('erases the rest once when two commands run at the same time', async () => {
  const both = await Promise.all([recaudo(args, env), recaudo(args, env)]);
  const told = both.map(({ stdout }) => JSON.parse(stdout));
  expect(told.map(({ state }) => state)).toEqual(['erased', 'erased']);
  const sums = { requests: 0, mandates: 0 };
  for (const { requests, mandates } of told.flatMap(({ accounts }) => accounts)) {
    sums.requests += requests;
    sums.mandates += mandates;
  }
  expect(sums).toEqual({ requests: count + 1 - 400, mandates: 1 });
  const events = await erasedEvents();
  expect(events).toHaveLength(count + 2);
  expect(new Set(events).size).toBe(count + 2);
  const left = await superuser`
    select from requests where payer ilike '%zoraida%' or details::text ilike '%zoraida%'
    union all select from mandates where holder ilike '%zoraida%' or email <> ''`;
  expect(left).toHaveLength(0);
  expect(await faults()).toEqual([]);
});
