import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recaudo } from '../cli/run.ts';
import {
  customerOf,
  type DebitOffice,
  openDebitOffice,
  referenceOf,
  submitted,
} from '../harness/builders/debit-office.ts';
import { program } from '../harness/built.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { bank350Lines } from './debit-files.ts';

// Each command is a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let service: TestService;
let office: DebitOffice;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openDebitOffice(service);
});
afterAll(async () => {
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

/** Starts the program and kills it after `lines` decided lines. */
async function killedAt(args: string[], lines: number): Promise<NodeJS.Signals | null> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, DATABASE_URL: service.databaseUrl, VAULT_KEYS: testVaultKeys },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  await vi.waitFor(
    async () => {
      const [row] = await service.sql`select count(*)::int as kept from rail_lines`;
      expect(row?.kept).toBeGreaterThanOrEqual(lines);
    },
    { timeout: 60_000, interval: 3 },
  );
  child.kill('SIGKILL');
  const [, signal] = await closed;
  return signal;
}

test('books each line once and totals all of them after repeated kills', async () => {
  const count = 4_500;
  const adhesion = 900;
  const first = await submitted(service.sql, { count, today: office.today(), adhesion });
  const kinds = (no: number) => {
    if (no % 10 === 1) return { type: '0360', code: 'R08' };
    if (no % 10 === 2) return { type: '0360', code: 'R05' };
    return {};
  };
  const file = await office.write(
    bank350Lines(office.date(), [
      ...Array.from({ length: count }, (_none, no) => ({
        customer: customerOf(adhesion),
        reference: referenceOf(first + no),
        amount: 1000 + no,
        ...kinds(no),
      })),
      { reference: referenceOf(first), type: '0371' },
      { reference: '000000000000011', amount: 700 },
    ]),
  );
  const args = ['rails', 'import', 'direct-debit-350', file];
  for (const lines of [1, 1_500, 3_200]) {
    expect(await killedAt(args, lines)).toBe('SIGKILL');
  }
  const run = await recaudo([...args, '--json'], { DATABASE_URL: service.databaseUrl });
  expect([run.code, run.stderr]).toEqual([0, '']);
  expect(JSON.parse(run.stdout)).toMatchObject({
    outcome: 'imported',
    lines: count + 2,
    paid: 3_600,
    rejected: 450,
    in_process: 450,
    reversed: 1,
    told_before: 0,
    suspense: 1,
    suspense_total: '7.00',
  });
  const [row] = await service.sql`
    select count(*) filter (where type = 'collected')::int as collected,
      count(*) filter (where type = 'rejected')::int as rejected,
      count(*) filter (where type = 'chargeback')::int as taken_back,
      (select count(*)::int from suspense) as suspense
    from results`;
  expect(row).toEqual({ collected: 3_600, rejected: 450, taken_back: 1, suspense: 1 });
});
