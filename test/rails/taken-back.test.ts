import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { prepareFacts } from '../../src/money/collections/index.ts';
import { assignSuspense, listSuspense, suspend } from '../../src/money/suspense/index.ts';
import { testOperator } from '../harness/actors.ts';
import {
  customerOf,
  type DebitOffice,
  openDebitOffice,
  referenceOf,
} from '../harness/builders/debit-office.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { type BankAnswer, bank350Lines, someCbu } from './debit-files.ts';

/** Covers reversals by a bank, which concern only the payment of the run that the file names. */
let service: TestService;
let office: DebitOffice;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openDebitOffice(service);
});
afterEach(async () => expect(await office.faults()).toEqual([]));
afterAll(async () => {
  await office.close();
  await service.stop();
});

interface Put {
  id: number;
  adhesion: number;
}

async function put(): Promise<Put> {
  const adhesion = await signedAdhesion(service);
  const id = await office.debit(adhesion);
  await office.handOver();
  return { adhesion, id };
}

const tell = async ({ id, adhesion }: Put, over: BankAnswer = {}) => {
  const line = {
    customer: customerOf(adhesion),
    cbu: someCbu,
    reference: referenceOf(id),
    due: office.date(),
    amount: 143_050,
    ...over,
  };
  const file = await office.write(bank350Lines(office.date(), [line]));
  const { file: kept, summary } = await office.import('direct-debit-350', file);
  const [told] = await office.lines(kept.id);
  return { summary, told };
};

/** Makes each file different, because a repeated one would be recognized. */
let files = 0;
const takeBack = (one: Put) => {
  files += 1;
  return tell(one, { type: '0371', due: office.date(-files) });
};

/** Assigns the oldest money in suspense to a debit. */
async function assign(id: number): Promise<void> {
  const { base, calendar } = service.service.parts;
  const [money] = await listSuspense(service.sql, { all: false, after: 0, limit: 1 });
  const to = { accountId: testAccount, id };
  const assigned = await assignSuspense(
    base,
    prepareFacts(base, calendar),
  )({
    id: money?.id ?? 0,
    to,
    note: 'found',
    actor: testOperator,
  });
  expect(assigned).toBe('assigned');
}

let found = 0;

/** Puts money for a debit into suspense that arrived outside its run. */
async function findMoney(id: number): Promise<void> {
  found += 1;
  const { base, clocks } = service.service.parts;
  await suspend(base)([
    {
      reason: 'unknown_request',
      channel: 'wire_transfer',
      label: 'Transferencia',
      code: '',
      amount: centavos(99_900),
      paidAt: clocks.business.now(),
      source: 'bank',
      sourceRef: String(found),
    },
  ]);
  await assign(id);
}

/** Returns the payments of a debit in order, and whether each was reversed. */
const payments = (id: number) => service.sql<{ source: string; gone: boolean }[]>`
  select source, charged_back > 0 as gone from results
  where request_id = ${id} and type = 'collected' order by informed_at, id`;

test('reverses a payment once for a repeated reversal in one file', async () => {
  const one = await put();
  await tell(one);
  files += 1;
  const line = {
    customer: customerOf(one.adhesion),
    cbu: someCbu,
    reference: referenceOf(one.id),
    due: office.date(-files),
    amount: 143_050,
    type: '0371',
  };
  const file = await office.write(bank350Lines(office.date(), [line, line]));
  const { file: kept } = await office.import('direct-debit-350', file);
  const told = await office.lines(kept.id);
  expect(told.map(({ outcome }) => outcome)).toEqual(['reversed', 'known']);
  expect((await payments(one.id)).map(({ gone }) => gone)).toEqual([true]);
});

test('reverses the debit run’s payment of a debit paid twice, not the last payment', async () => {
  const one = await put();
  await tell(one);
  await findMoney(one.id);
  expect((await takeBack(one)).summary).toMatchObject({ reversed: 1, not_paid: 0 });
  expect(await payments(one.id)).toEqual([
    { source: 'debit run', gone: true },
    { source: 'bank', gone: false },
  ]);
  expect((await office.show('debit-request', one.id)).state).toBe('paid');
  // Another file with the same reversal reports it as known.
  await takeBack(one);
  expect((await payments(one.id)).map(({ gone }) => gone)).toEqual([true, false]);
});

test('keeps other money of a debit whose run’s payment was already reversed', async () => {
  const one = await put();
  await tell(one);
  expect((await service.call('POST', `/sandbox/chargeback/${one.id}`)).status).toBe(200);
  await findMoney(one.id);
  const { told } = await takeBack(one);
  expect(told).toMatchObject({ outcome: 'unmatched', remarks: ['not_paid'] });
  expect((await payments(one.id)).map(({ gone }) => gone)).toEqual([true, false]);
});

test('reverses money that was assigned to a refused run', async () => {
  const one = await put();
  await tell(one, { type: '0360', code: 'R08' });
  // Another file reports the payment, whose money goes into suspense.
  expect((await tell(one)).summary).toMatchObject({ suspense: 1 });
  expect((await takeBack(one)).told).toMatchObject({ remarks: ['not_paid'] });
  await assign(one.id);
  expect((await takeBack(one)).summary).toMatchObject({ reversed: 1, not_paid: 0 });
  expect(await payments(one.id)).toEqual([{ source: 'money of a debit run', gone: true }]);
  expect((await office.show('debit-request', one.id)).state).toBe('reverted');
});
