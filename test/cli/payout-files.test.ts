import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { centavos } from '../../src/kernel/money.ts';
import { makePayoutFile } from '../../src/money/payouts/index.ts';
import { testOperator } from '../harness/actors.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { correct, sendPayout } from '../harness/money.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { recaudo } from './run.ts';

let service: TestService;
let folder: string;
let first: number;

const base = () => service.service.parts.base;
const run = (out: string, ...more: string[]) =>
  recaudo(['payouts', 'run', '--reference', 'nov', '--out', out, ...more], {
    DATABASE_URL: service.databaseUrl,
  });

async function payable(accountId: string): Promise<void> {
  const actor = testOperator;
  await setAccount({ ...base(), actor })({ accountId, payoutCbu: '2850590940090418135201' });
  const amount = centavos(10_000);
  await correct(base())({ accountId, amount, reference: 'given', note: 'a test', actor });
}

beforeAll(async () => {
  service = await startService(withoutWorker);
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-payouts-'));
  await payable(testAccount);
  const order = { accountId: testAccount, amount: null, reference: 'nov', actor: testOperator };
  await sendPayout(base())(order);
  const file = await makePayoutFile(base())({ reference: 'nov', actor: testOperator });
  first = file?.id ?? 0;
  const { id: second } = await anotherAccount(service);
  await payable(second);
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('pays nothing if the file’s folder is missing', async () => {
  const missing = path.join(folder, 'missing');
  const { code, stdout, stderr } = await run(missing);
  expect([code, stdout, stderr]).toEqual([1, '', `error: There is no directory ${missing}.\n`]);
  const [{ payouts } = { payouts: 0 }] = await service.sql<{ payouts: number }[]>`
    select count(*)::int as payouts from payouts`;
  expect(payouts).toBe(1);
});

test('lists each written file, and marks existing ones', async () => {
  const { code, stdout, stderr } = await run(folder);
  expect([code, stderr]).toEqual([0, '']);
  const names = (await readdir(folder)).toSorted();
  expect(names).toHaveLength(2);
  expect(names).toContain(`payouts-nov-${first}.csv`);
  const lines = stdout.split('\n').filter((line) => line.includes('1 transfers of 100.00 in '));
  expect(lines).toHaveLength(2);
  const [before = '', now = ''] = lines;
  expect(before).toContain(`payouts-nov-${first}.csv, created earlier, at `);
  expect(now).toContain('.csv, created at ');
  expect((await run(folder)).stdout).toContain('no file was written');
});

test('reports a file of the same name without overwriting it, and writes the other file', async () => {
  const other = await mkdtemp(path.join(folder, 'other-'));
  const taken = path.join(other, `payouts-nov-${first}.csv`);
  await writeFile(taken, 'something else');
  const { code, stdout, stderr } = await run(other, '--json');
  expect([code, stderr]).toEqual([1, expect.stringContaining(taken)]);
  expect(await readFile(taken, 'utf8')).toBe('something else');
  // The other file is written.
  const { file, files } = JSON.parse(stdout);
  expect(file).toBeNull();
  expect(files).toMatchObject([{ payouts: 1, total: '100.00', made_before: true }]);
  expect((await readdir(other)).length).toBe(2);
  await rm(taken);
  expect((await run(other)).code).toBe(0);
  expect(await readFile(taken, 'utf8')).toBe(
    await readFile(path.join(folder, path.basename(taken)), 'utf8'),
  );
});

test('writes a file that was created under another reference but contains this one’s payouts', async () => {
  const { id: third } = await anotherAccount(service);
  await payable(third);
  const order = { accountId: third, amount: null, reference: 'dic', actor: testOperator };
  await sendPayout(base())(order);
  const file = await makePayoutFile(base())({ reference: 'desk', all: true, actor: testOperator });
  const args = ['payouts', 'run', '--reference', 'dic', '--out', folder, '--json'];
  const { stdout } = await recaudo(args, { DATABASE_URL: service.databaseUrl });
  expect(JSON.parse(stdout).files).toMatchObject([
    { file: path.join(folder, `payouts-desk-${file?.id}.csv`), payouts: 1, made_before: true },
  ]);
});
