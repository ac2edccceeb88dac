import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { serve } from '../../src/main.ts';
import { type Erasure, erasePerson } from '../../src/payers/index.ts';
import type { Acting } from '../../src/platform/base.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { advance } from '../harness/builders/clock.ts';
import { cbuEndingIn } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService } from '../harness/service.ts';
import { openTamperer, type Tamperer } from '../harness/tamper.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const keyOf = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const k1 = keyOf('k1', 1);
const email = 'zoraida@example.com';

let service: TestService;
let superuser: Sql;
let tamperer: Tamperer;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments', VAULT_KEYS: k1 });
  superuser = connectSuperuser(service.databaseUrl);
  tamperer = openTamperer(service);
});
afterAll(async () => {
  await tamperer.end();
  await superuser.end();
  await service.stop();
});

interface Played {
  account: string;
  /** Paid. A refund failed, and the operator wrote why. */
  paid: number;
  /** Another person's, likewise. */
  other: number;
}

const words = 'No es la cuenta de Zoraida';

/** Opens an account with a payment of Zoraida and one of another person. */
async function play(): Promise<Played> {
  const { id: account, key } = await anotherAccount(service);
  const pay = async (payer: Record<string, string>): Promise<number> => {
    const body = paymentRequestBody(service, payer);
    const made = await service.call('POST', '/payment-request', { body, key });
    const { id } = made.body;
    await service.call('POST', `/sandbox/pay/${id}`, { body: {}, key });
    return id;
  };
  const fail = async (id: number): Promise<void> => {
    const refund = { amount: 5, cbu: cbuEndingIn('7391', 77) };
    const path = `/payment-request/${id}/refund`;
    const asked = await service.call('POST', path, { body: { refund }, key });
    const failing = await recaudo(
      ['refunds', 'fail', String(asked.body.id), '--account', account, '--reason', words],
      { DATABASE_URL: service.databaseUrl, VAULT_KEYS: k1 },
    );
    expect(failing.stderr).toBe('');
  };
  const paid = await pay({ payer_name: 'Zoraida', payer_email: email });
  const other = await pay({ payer_name: 'Otra', payer_email: 'otra@example.com' });
  await advance(service, { days: 15 });
  await fail(paid);
  await fail(other);
  await advance(service, { days: 60 });
  return { account, paid, other };
}

const erase = async (
  { account }: Played,
  base: Omit<Acting, 'actor'> = service.service.parts.base,
): Promise<Erasure['state']> => {
  const order = {
    ...{ accountIds: [account], cuit: '20055361682', emails: [email], reason: 'EX-1' },
    ...{ dryRun: false, cardReversalDays: 30 },
  };
  return (await erasePerson({ ...base, actor: testOperator }, order)).state;
};

const faults = async ({ account }: Played, { sealer } = service.service.parts) =>
  (await auditAccount(superuser, account, { keys: sealer.keys })).map(({ what }) => what);

const faultsAfter = async ({ account }: Played, change: string): Promise<string> =>
  (await tamperer.faultsAfter(change, { account })).join('\n');

/** Returns the reasons in the events of a request. */
const reasonsOf = async (account: string, request: number): Promise<string[]> => {
  const rows = await superuser<{ text: string }[]>`
    select data->>'reason' as text from events
    where account_id = ${account} and entity_id = ${String(request)}
      and data->>'reason' is not null and type not like '%.payer_erased'`;
  return rows.map(({ text }) => text);
};

/** A statement that inserts an erasure of a request, as the service writes it. */
const insertErasure = (
  { account }: Played,
  request: number,
  more: Record<string, unknown> = {},
): string => `
  with erased as (
    update requests set version = version + 1, payer = 'Nadie' where account_id = '${account}'
      and id = ${request} returning version
  )
  insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
  select '${account}', 'payment_request', '${request}', version, nextval('record_ids'),
    'payment_request.payer_erased', now(), 'system', '${JSON.stringify({ state: 'paid', ...more })}' from erased`;

const eventOf = ({ account }: Played, request: number, type: string): string =>
  `account_id = '${account}' and entity_id = '${request}' and type = 'payment_request.${type}'`;

const differs = (request: number) =>
  new RegExp(`event payment_request ${request} \\d+ differs from its seal`);

test('erases one payer’s texts in sealed and unsealed events, with a clean audit', async () => {
  for (const isSealed of [true, false]) {
    const played = await play();
    if (isSealed) await sealEvents(service);
    expect(await reasonsOf(played.account, played.paid)).toContain(words);
    expect(await erase(played)).toBe('erased');
    expect(new Set(await reasonsOf(played.account, played.paid))).toEqual(
      new Set(['Dato suprimido']),
    );
    expect(await reasonsOf(played.account, played.other)).toContain(words);
    expect(await faults(played)).toEqual([]);
    await sealEvents(service);
    expect(await faults(played)).toEqual([]);
  }
});

test('seals erased events once more after a restore into a younger cluster', async () => {
  const played = await play();
  await sealEvents(service);
  await superuser`update seal_marks set next_xid = next_xid + 1000000`;
  await erase(played);
  await sealEvents(service);
  expect(await reasonsOf(played.account, played.paid)).toEqual(['Dato suprimido']);
  expect(await faults(played)).toEqual([]);
});

test('detects each change of an erased event', async () => {
  const played = await play();
  await sealEvents(service);
  await erase(played);
  const { paid, other } = played;
  const erased = eventOf(played, paid, 'refund_failed');
  const member = (name: string, value: string) =>
    `data = (data::jsonb || jsonb_build_object('${name}', ${value}))::json`;
  const columns = [
    member('amount', '1'),
    member('reason', `'Otro texto'`),
    member('refund_id', '7'),
    `actor = 'user:7'`,
    `type = 'payment_request.paid'`,
    `at = at + interval '1 day'`,
    'id = id + 1',
  ];
  for (const column of columns) {
    const change = `update events set ${column} where ${erased}`;
    expect(await faultsAfter(played, change), column).toMatch(differs(paid));
  }
  const silenced = `update events set ${member('reason', `'Dato suprimido'`)}
    where ${eventOf(played, other, 'refund_failed')}`;
  expect(await faultsAfter(played, silenced)).toMatch(differs(other));
  const gone = `delete from events where ${eventOf(played, paid, 'payer_erased')}`;
  expect(await faultsAfter(played, gone)).toMatch(
    new RegExp(`erasure payment_request ${paid} \\d+ was sealed, but does not exist`),
  );
  const renamed = `update events set data = '{"reason": "EX-2"}'
    where ${eventOf(played, paid, 'payer_erased')}`;
  expect(await faultsAfter(played, renamed)).toMatch(
    new RegExp(`erasure payment_request ${paid} \\d+ differs`),
  );
  expect(await faults(played)).toEqual([]);
});

test('detects an erasure inserted by SQL, and the changes that it should hide', async () => {
  const played = await play();
  await sealEvents(service);
  const { other, paid } = played;
  const forged = (request: number) =>
    new RegExp(`erasure payment_request ${request} \\d+ was never sealed`);
  expect(await faultsAfter(played, insertErasure(played, other))).toMatch(forged(other));
  await superuser.unsafe(insertErasure(played, other, { request_result_ids: [paid] }));
  await superuser.unsafe(`
    update events set data = (data::jsonb || '{"amount": 999}')::json
    where ${eventOf(played, other, 'refund_failed')}`);
  for (const moment of ['before', 'after'] as const) {
    if (moment === 'after') await sealEvents(service);
    const found = (await faults(played)).join('\n');
    expect(found, moment).toMatch(forged(other));
    expect(found, moment).toMatch(differs(other));
  }
  // A true erasure of another payer covers neither.
  await erase(played);
  await sealEvents(service);
  const found = (await faults(played)).join('\n');
  expect(found).toMatch(forged(other));
  expect(found).toMatch(differs(other));
  expect(found).not.toMatch(differs(paid));
});

test('detects an erasure inserted into the operator’s books, where none was before', async () => {
  const books = { account: '00000000', paid: 0, other: 0 };
  const forge = `
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    values ('00000000', 'suspense', '77', 1, nextval('record_ids'), 'suspense.payer_erased', now(),
      'system', '{}')`;
  await superuser.unsafe(forge);
  await sealEvents(service);
  expect((await faults(books)).join('\n')).toMatch(/erasure suspense 77 1 was never sealed/);
  await superuser`delete from events where account_id = '00000000' and entity_id = '77'`;
});

test('detects a forged erasure of a payer whom the service erases later', async () => {
  const played = await play();
  await sealEvents(service);
  await superuser.unsafe(insertErasure(played, played.paid));
  await erase(played);
  await sealEvents(service);
  const found = (await faults(played)).filter((what) => what.startsWith('erasure'));
  expect(found).toEqual([
    expect.stringMatching(`erasure payment_request ${played.paid} \\d+ was never sealed`),
  ]);
});

test('detects an event that was changed before its erasure, or by a trigger during it', async () => {
  const before = await play();
  const during = await play();
  await sealEvents(service);
  await superuser.unsafe(`
    update events set data = (data::jsonb || '{"amount": 999}')::json
    where ${eventOf(before, before.paid, 'refund_failed')}`);
  await erase(before);
  await superuser.unsafe(`
    create function raise_amount() returns trigger language plpgsql as $$
      begin new.data = (new.data::jsonb || '{"amount": 999}')::json; return new; end $$;
    create trigger raise_amount before update of data on events
      for each row execute function raise_amount()`);
  await erase(during);
  await superuser.unsafe('drop trigger raise_amount on events; drop function raise_amount()');
  await sealEvents(service);
  expect((await faults(before)).join('\n')).toMatch(differs(before.paid));
  expect((await faults(during)).join('\n')).toMatch(differs(during.paid));
});

test('erases events that another key sealed, and audits them after the rotation', async () => {
  const played = await play();
  await sealEvents(service);
  const { VAULT_KEYS } = readConfig({
    VAULT_KEYS: `${keyOf('k2', 2)},${k1}`,
    LOG_LEVEL: 'silent',
  });
  const rotated = await serve({ ...service.config, PORT: 0, VAULT_KEYS }, createLog('silent'));
  try {
    expect(await erase(played, rotated.parts.base)).toBe('erased');
    await sealEvents(service, rotated.parts.sealer);
    expect(await faults(played, rotated.parts)).toEqual([]);
    const keys = await superuser<{ id: string }[]>`
      select distinct key_id as id from seal_links where account_id = ${played.account} order by 1`;
    expect(keys.map(({ id }) => id)).toEqual(['k1', 'k2']);
  } finally {
    await rotated.stop();
  }
});
