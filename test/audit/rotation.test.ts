import { afterEach, expect, test, vi } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { auditIn } from '../../src/audit/index.ts';
import { readConfig } from '../../src/config/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { type Service, serve } from '../../src/main.ts';
import { closeMoneyAlarm, listMoneyAlarms } from '../../src/money/alarms/index.ts';
import { sealAll } from '../../src/money/ledger/index.ts';
import { makePayoutFile, returnPayout, writtenPayoutFile } from '../../src/money/payouts/index.ts';
import { createLog } from '../../src/platform/log.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { sealEvents } from '../harness/sealed.ts';
import { call, startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

vi.setConfig({ testTimeout: 120_000 });

const keyOf = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)];

/** Two services on one database, which restart with other keys. */
let first: TestService;
let running: Service[] = [];
afterEach(async () => {
  for (const one of running) await one.stop();
  running = [];
  await first.stop();
});

async function start(keys: string): Promise<Service> {
  const { VAULT_KEYS } = readConfig({ VAULT_KEYS: keys, LOG_LEVEL: 'silent' });
  const one = await serve({ ...first.config, PORT: 0, VAULT_KEYS }, createLog('silent'));
  running.push(one);
  return one;
}

async function restart(old: Service, keys: string): Promise<Service> {
  running = running.filter((one) => one !== old);
  const fresh = await start(keys);
  await old.stop();
  return fresh;
}

async function open(): Promise<[Service, Service]> {
  first = await startService({ ...withoutWorker, VAULT_KEYS: k1 });
  await sealEvents(first);
  const { base } = first.service.parts;
  await setAccount({ ...base, actor: testOperator })({
    accountId: testAccount,
    payoutCbu: '2850590940090418135201',
  });
  return [await start(k1), await start(k1)];
}

let names = 0;
const name = (): string => {
  names += 1;
  return `rotation ${names}`;
};

async function pay({ origin }: Service): Promise<void> {
  const made = await call(origin, 'POST', '/payment-request', { body: paymentRequestBody(first) });
  expect(made.status, made.text).toBe(201);
  const paid = await call(origin, 'POST', `/sandbox/pay/${made.body.id}`, { body: {} });
  expect(paid.status, paid.text).toBe(200);
}

/** Makes payments, a correction and a payout in one process. */
async function trade(process: Service): Promise<number> {
  const { base } = process.parts;
  await Promise.all([pay(process), pay(process), pay(process)]);
  const order = { accountId: testAccount, note: 'n', actor: testOperator };
  await correct(base)({ ...order, reference: name(), amount: centavos(5_000) });
  const sent = await sendPayout(base)({ ...order, reference: name(), amount: centavos(100) });
  return sent.payout.id;
}

async function seal({ parts }: Service): Promise<void> {
  await sealAll(parts.base.sql, parts.sealer);
  await sealEvents(first, parts.sealer);
}

/** Returns the open alarms, as the newest process reads them with its keys. */
const alarms = () => {
  const { sql } = (running.at(-1) as Service).parts.base;
  return listMoneyAlarms(sql, { all: false, after: 0, limit: 100 });
};

/** Makes every process trade, and seal what the others wrote. Expects no faults. */
async function tradeAll(processes: readonly Service[]): Promise<void> {
  await Promise.all(processes.map(trade));
  for (const one of processes) {
    await seal(one);
    await Promise.all(processes.map(trade));
  }
  await seal(processes.at(-1) as Service);
  expect(await alarms()).toEqual([]);
  for (const { parts } of processes) {
    const { base, sealer } = parts;
    expect(await auditIn(base.sql, testAccount, { keys: sealer.keys })).toEqual([]);
  }
}

test('rotates in two steps under traffic without alarms or delayed payouts', async () => {
  let [one, other] = await open();
  await tradeAll([one, other]);
  const old = await trade(one);
  // First every process learns the new key; then every process stamps with it.
  for (const keys of [`${k1},${k2}`, `${k2},${k1}`]) {
    one = await restart(one, keys);
    await tradeAll([one, other]);
    other = await restart(other, keys);
    await tradeAll([one, other]);
  }
  const env = { DATABASE_URL: first.databaseUrl, VAULT_KEYS: `${k2},${k1}` };
  expect(await recaudo(['vault', 'rewrap'], env)).toMatchObject({ code: 0 });
  one = await restart(one, k2);
  other = await restart(other, k2);
  await tradeAll([one, other]);
  // A payout that the dropped key stamped still goes through.
  const { base } = one.parts;
  const [row] = await first.sql<{ reference: string }[]>`
    select reference from payouts where id = ${old}`;
  const reference = row?.reference ?? '';
  const file = await makePayoutFile(base)({ reference, actor: testOperator });
  expect((await writtenPayoutFile(base.sql, file?.id ?? 0)).text).toContain(reference);
  const back = { accountId: testAccount, id: old, reason: 'closed', actor: testOperator };
  expect(await returnPayout(base)({ ...back, bankAnswered: true })).toBe('returned');
  await tradeAll([one, other]);
});

test('blocks payouts during a one-step rotation, and explains it in doctor', async () => {
  const [one, other] = await open();
  const ahead = await restart(other, `${k2},${k1}`);
  await trade(ahead);
  await expect(trade(one)).rejects.toThrow('This service did not write');
  await seal(one);
  const raised = await alarms();
  expect(raised.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['forged_journal', 'forged_fact']),
  );
  const env = { DATABASE_URL: first.databaseUrl, VAULT_KEYS: `${k2},${k1}` };
  const look = async (): Promise<{ state: string; found: string; todo: string }> => {
    const { stdout } = await recaudo(['doctor', '--json'], env);
    return JSON.parse(stdout).find(({ what }: { what: string }) => what === 'vault');
  };
  const said = await look();
  expect(said).toMatchObject({ state: 'look', todo: expect.stringContaining('alarms close') });
  expect(said.found).toContain(`alarms ${raised.map(({ id }) => id).join(', ')} name rows`);
  // Both keys in every process and closed alarms restore normal service.
  const mended = await restart(one, `${k2},${k1}`);
  for (const { id } of raised) {
    const { base } = mended.parts;
    await closeMoneyAlarm({ ...base, actor: testOperator }, { id, note: 'rotated in one step' });
  }
  await tradeAll([mended, ahead]);
  expect((await look()).found).not.toContain('name rows');
});
