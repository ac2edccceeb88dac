import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { system } from '../../src/platform/actor.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Ran, recaudo } from './run.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let service: TestService;
let folder: string;
const operators = { eva: '', ana: '', reader: '' };

const run = (...args: string[]): Promise<Ran> =>
  recaudo([...args, '--json'], {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: folder,
    PAYOUT_APPROVAL_ABOVE: '1000',
    CORRECTION_APPROVAL_ABOVE: '50000',
  });
const told = ({ stdout, stderr, code }: Ran) => JSON.parse(code === 0 ? stdout : stderr);

const correct = (...args: string[]) =>
  run('ledger', 'correct', '--account', testAccount, '--note', 'n', ...args);
const pay = (...args: string[]) => run('payouts', 'create', '--account', testAccount, ...args);

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-proposals-'));
  operators.eva = (await signIn(service, 'operator')).email;
  operators.ana = (await signIn(service, 'operator')).email;
  operators.reader = (await signIn(service, 'operator_read_only')).email;
  const acting = { ...service.service.parts.base, actor: system };
  await setAccount(acting)({ accountId: testAccount, payoutCbu: '2850590940090418135201' });
  await correct('--amount', '20000', '--reference', 'seed');
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('proposes, lists and approves a payout without a browser, with two operators', async () => {
  const { eva, ana, reader } = operators;
  const proposed = told(await pay('--amount', '5000', '--reference', 'p', '--operator', eva));
  expect(proposed.outcome).toBe('proposed');
  const id = String(proposed.id);
  expect(told(await run('payouts', 'proposals'))).toEqual([
    expect.objectContaining({ id: proposed.id, account: testAccount, amount: '5000.00' }),
  ]);
  expect(told(await run('payouts', 'approve', id, '--operator', eva)).error).toBe('forbidden');
  const [read, nobody] = [
    await run('payouts', 'approve', id, '--operator', reader),
    await run('payouts', 'approve', id, '--operator', 'x@example.com'),
  ];
  expect([read.code, nobody.code]).toEqual([1, 1]);
  expect(told(await run('payouts', 'approve', id, '--operator', ana))).toMatchObject({
    state: 'approved and done',
  });
  expect(told(await run('payouts', 'approve', id, '--operator', ana)).error).toBe('conflict');
  const payouts = await service.sql`select amount from payouts where reference = 'p'`;
  expect(payouts.map(({ amount }) => amount)).toEqual([500_000]);
  const [event] = await service.sql<{ actor: string; data: { user_id: number } }[]>`
    select actor, data from events where type = 'proposal.approved' order by id desc limit 1`;
  const [user] = await service.sql`select id from users where email = ${ana}`;
  expect(event?.actor).toMatch(/^operator/);
  expect(event?.data.user_id).toBe(user?.id);
});

test('rejects a correction with a reason, and posts nothing', async () => {
  const { eva, ana } = operators;
  const made = await correct('--amount', '90000', '--reference', 'c', '--operator', eva);
  expect(told(made).outcome).toBe('proposed');
  const [row] = told(await run('ledger', 'proposals'));
  // `payouts approve` finds no proposals of corrections.
  const other = await run('payouts', 'approve', String(row.id), '--operator', ana);
  expect(told(other).error).toBe('not_found');
  const args = [String(row.id), '--operator', ana, '--reason', 'too much'];
  expect(told(await run('ledger', 'reject', ...args)).state).toBe('rejected');
  expect(told(await run('ledger', 'proposals'))).toEqual([]);
  expect(await service.sql`select 1 from corrections where reference = 'c'`).toEqual([]);
});

test('limits what one operator, named or not, pays out to an account in a day', async () => {
  const { eva, ana } = operators;
  const first = await pay('--amount', '600', '--reference', 'd1', '--operator', eva);
  // Eva's proposal of 5,000 earlier that day counts toward her limit.
  expect(told(first).outcome).toBe('proposed');
  expect(told(await pay('--amount', '600', '--reference', 'd2', '--operator', ana)).outcome).toBe(
    'sent',
  );
  expect(told(await pay('--amount', '401', '--reference', 'd3', '--operator', ana)).outcome).toBe(
    'proposed',
  );
  expect(told(await pay('--amount', '400', '--reference', 'd4', '--operator', ana)).outcome).toBe(
    'sent',
  );
  const unnamed = await pay('--amount', '1', '--reference', 'd5');
  expect(unnamed.code).toBe(1);
  expect(told(unnamed).message).toContain('already paid out to the account today');
  await service.call('POST', '/sandbox/clock', { body: { days: 1 } });
  expect(told(await pay('--amount', '1000', '--reference', 'd6')).outcome).toBe('sent');
  // A payout without a named operator counts toward every operator's limit.
  expect(told(await pay('--amount', '1', '--reference', 'd7', '--operator', ana)).outcome).toBe(
    'proposed',
  );
});
