import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createAccount, renameAccount, setAccount } from '../../../src/accounts/index.ts';
import { centavos } from '../../../src/kernel/money.ts';
import {
  handOverPayoutFile,
  makePayoutFile,
  type PayoutFile,
  payoutFilesOf,
  type ReturnPayout,
  returnPayout,
  writtenPayoutFile,
} from '../../../src/money/payouts/index.ts';
import { testOperator, testOperatorText } from '../../harness/actors.ts';
import { correct, sendPayout } from '../../harness/money.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
  await setAccount({ ...base(), actor: testOperator })({
    accountId: testAccount,
    payoutCbu: '2850590940090418135201',
  });
  await correct(base())({
    accountId: testAccount,
    amount: centavos(1_000_000),
    reference: 'given',
    note: 'a test',
    actor: testOperator,
  });
});
afterAll(() => service?.stop());
afterEach(async () => expect(await playerOf(service).faults()).toEqual([]));

const base = () => service.service.parts.base;

async function pay(reference: string): Promise<number> {
  const order = { accountId: testAccount, amount: centavos(1_000), reference, actor: testOperator };
  return (await sendPayout(base())(order)).payout.id;
}

async function make(reference: string): Promise<PayoutFile> {
  await pay(reference);
  const file = await makePayoutFile(base())({ reference, actor: testOperator });
  if (file === null) throw new Error('nothing to transfer');
  return file;
}

const written = (file: PayoutFile) => writtenPayoutFile(service.service.parts.base.sql, file.id);

test('gives every file a unique name, whatever the references', async () => {
  const references = ['a/b', 'a_b', 'a b', 'noviembre', 'noviembre-2'];
  const files = [];
  for (const reference of references) files.push(await written(await make(reference)));
  // Names end in the file's number, so no reference can imitate another one's second file.
  for (const [no, { name }] of files.entries()) {
    expect(name).toMatch(/^payouts-[\p{L}\p{N}_-]+-\d+\.csv$/u);
    expect(files.findIndex((one) => one.name === name)).toBe(no);
  }
});

test('reproduces a file after its account was renamed', async () => {
  const file = await make('renamed');
  const first = await written(file);
  const acting = { ...base(), actor: testOperator };
  await renameAccount(acting, { accountId: testAccount, name: 'Another Name S.A.' });
  expect(await written(file)).toEqual(first);
  expect((await written(await make('after'))).text).toContain('Another Name S.A.');
});

test('excludes a payout that is returned while its file is being written', async () => {
  const id = await pay('back');
  let returned: Promise<unknown> = Promise.resolve();
  let made: Promise<PayoutFile | null> = Promise.resolve(null);
  let done = false;
  await service.sql.begin(async (tx) => {
    // The return has updated the payout, and is blocked before its journal.
    await tx`lock table journals in share mode`;
    const waiting = async (): Promise<number> => {
      const [row] = await service.sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
      return row?.waiting ?? 0;
    };
    const until = { timeout: 10_000, interval: 20 };
    const order = { accountId: testAccount, id, reason: 'closed', actor: testOperator };
    returned = returnPayout(base())(order);
    await vi.waitFor(async () => expect(await waiting()).toBe(1), until);
    made = makePayoutFile(base())({ reference: 'back', actor: testOperator });
    void made.then(() => {
      done = true;
    });
    await vi.waitFor(async () => expect(done || (await waiting()) === 2).toBe(true), until);
  });
  expect(await returned).toBe('returned');
  expect(await made).toBeNull();
});

test('records who downloads a bank file, and refuses an unknown file', async () => {
  const file = await make('taken');
  const { name, text } = await handOverPayoutFile(base())({ id: file.id, actor: testOperator });
  expect({ name, text }).toEqual(await written(file));
  const events = await service.sql`
    select type, actor, data from operator_events
    where entity = 'payout_file' and entity_id = ${String(file.id)} order by id desc limit 1`;
  expect(events).toEqual([
    { type: 'payout_file.handed_over', actor: testOperatorText, data: { file: name } },
  ]);
  await expect(handOverPayoutFile(base())({ id: 1, actor: testOperator })).rejects.toMatchObject({
    status: 404,
  });
});

const returns = (
  id: number,
  { accountId = testAccount, bankAnswered = false }: Partial<Parameters<ReturnPayout>[0]> = {},
) => returnPayout(base())({ accountId, id, reason: 'closed', bankAnswered, actor: testOperator });

test('removes a canceled payout from an undownloaded file, and deletes an empty file', async () => {
  const accountId = 'B1B2C3D4';
  const acting = { ...base(), actor: testOperator };
  await createAccount(acting, { id: accountId, name: 'Otra', cuit: '30999999995', city: 'Salta' });
  await setAccount(acting)({ accountId, payoutCbu: '2850590940090418135201' });
  const amount = centavos(2_500);
  await correct(base())({ accountId, amount, reference: 'r', note: 'n', actor: testOperator });
  const order = { accountId, amount, reference: 'leaves', actor: testOperator };
  const gone = (await sendPayout(base())(order)).payout.id;
  const stays = await pay('leaves');
  const file = await makePayoutFile(base())({ reference: 'leaves', actor: testOperator });
  if (file === null) throw new Error('nothing to transfer');
  expect((await written(file)).text).toContain(`\n${gone},`);
  expect(await returns(gone, { accountId })).toBe('returned');
  expect((await written(file)).text).not.toContain(`\n${gone},`);
  const [left] = await payoutFilesOf(service.sql, 'leaves');
  expect([left?.payouts, left?.total]).toEqual([1, 1_000]);
  expect(await returns(stays)).toBe('returned');
  expect(await payoutFilesOf(service.sql, 'leaves')).toEqual([]);
  await expect(
    handOverPayoutFile(base())({ id: file.id, actor: testOperator }),
  ).rejects.toMatchObject({ status: 404 });
  const events = await service.sql`
    select data from operator_events
    where entity_id = ${String(file.id)} and type = 'payout_file.left' order by id`;
  expect(events.map(({ data }) => data)).toEqual([
    { payout: gone, payouts: 1, total: 10 },
    { payout: stays, payouts: 0, total: 0 },
  ]);
});

test('returns a payout in a downloaded file only after the bank’s answer', async () => {
  const file = await make('at the bank');
  const id = Number((await written(file)).text.split('\n')[1]?.split(',')[0]);
  const before = (await handOverPayoutFile(base())({ id: file.id, actor: testOperator })).text;
  await expect(returns(id)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('the bank may still pay it'),
  });
  const [held] = await service.sql`select state from payouts where id = ${id}`;
  expect(held?.state).toBe('sent');
  expect(await returns(id, { bankAnswered: true })).toBe('returned');
  expect(await returns(id)).toBe('known');
  expect((await written(file)).text).toBe(before);
});

test('serializes a download and a return of the same payout', async () => {
  for (let no = 0; no < 8; no += 1) {
    const file = await make(`race ${no}`);
    const id = Number((await written(file)).text.split('\n')[1]?.split(',')[0]);
    const done = await Promise.allSettled([
      returns(id),
      handOverPayoutFile(base())({ id: file.id, actor: testOperator }),
    ]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  }
});
