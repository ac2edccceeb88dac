import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { prepareFacts } from '../../src/money/collections/index.ts';
import {
  assignSuspense,
  listSuspense,
  readSuspense,
  returnSuspense,
  suspend,
} from '../../src/money/suspense/index.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { testOperator } from '../harness/actors.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import {
  customerOf,
  type DebitOffice,
  openDebitOffice,
  referenceOf,
} from '../harness/builders/debit-office.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
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

const lineOf = ({ id, adhesion }: Put, over: BankAnswer = {}): BankAnswer => ({
  customer: customerOf(adhesion),
  cbu: someCbu,
  reference: referenceOf(id),
  due: office.date(),
  amount: 143_050,
  ...over,
});

const tell = async (one: Put, over: BankAnswer = {}) => {
  const file = await office.write(bank350Lines(office.date(), [lineOf(one, over)]));
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

/** Assigns money in suspense to a debit. */
async function assign(id: number, money: number, accountId = testAccount): Promise<void> {
  const { base, calendar } = service.service.parts;
  const to = { accountId, id };
  const assigned = await assignSuspense(
    base,
    prepareFacts(base, calendar),
  )({
    id: money,
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
  const money = (await listSuspense(service.sql, { all: false, after: 0, limit: 100 })).at(-1);
  await assign(id, money?.id ?? 0);
}

/** Returns the payments of a debit in order, and whether each was reversed. */
const payments = (id: number) => service.sql<{ source: string; gone: boolean }[]>`
  select source, charged_back > 0 as gone from results
  where request_id = ${id} and type = 'collected' order by informed_at, id`;

test('reverses a payment once for a repeated reversal in one file', async () => {
  const one = await put();
  await tell(one);
  files += 1;
  const line = lineOf(one, { due: office.date(-files), type: '0371' });
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

test('leaves a debit’s other payment alone if the run’s payment was already reversed', async () => {
  const one = await put();
  await tell(one);
  expect((await service.call('POST', `/sandbox/chargeback/${one.id}`)).status).toBe(200);
  await findMoney(one.id);
  const { told } = await takeBack(one);
  expect(told).toMatchObject({ outcome: 'known', remarks: ['told_before'] });
  expect((await payments(one.id)).map(({ gone }) => gone)).toEqual([true, false]);
});

test.each(['payment', 'suspense'])(
  'interrupts the import while the books are closing, and resumes it (%s)',
  async (where) => {
    const one = await put();
    if (where === 'suspense') await tell(one, { type: '0360', code: 'R08' });
    await tell(one);
    const file = await office.write(bank350Lines(office.date(), [lineOf(one, { type: '0371' })]));
    const closing = () => Promise.reject(new Refusal('unavailable', 'the books are closing'));
    const books = { reverse: closing, reverseSuspense: closing };
    const interrupted = office.import('direct-debit-350', file, { books });
    await expect(interrupted).rejects.toThrow('the books are closing');
    const { summary } = await office.import('direct-debit-350', file);
    expect(summary).toMatchObject({ reversed: 1, not_paid: 0 });
  },
);

/** Refuses a debit, then reports its payment, whose money goes into suspense. */
async function putRefusedAndPaid(): Promise<Put & { money: number }> {
  const one = await put();
  await tell(one, { type: '0360', code: 'R08' });
  expect((await tell(one)).summary).toMatchObject({ suspense: 1 });
  const money = (await listSuspense(service.sql, { all: false, after: 0, limit: 100 })).at(-1);
  if (!money) throw new Error('nothing is in suspense');
  return { ...one, money: money.id };
}

const stateOf = async (id: number) => (await readSuspense(service.sql, id)).state;
const alarmsOf = async (suspenseId: number): Promise<string[]> => {
  const rows = await service.sql<{ kind: string }[]>`
    select kind from money_alarms where suspense_id = ${suspenseId} order by id`;
  return rows.map(({ kind }) => kind);
};

describe('money of a refused run', () => {
  test('is reversed in suspense, with an alarm, and can no longer be assigned', async () => {
    const one = await putRefusedAndPaid();
    expect((await takeBack(one)).told).toMatchObject({ outcome: 'reversed', remarks: [] });
    expect([await stateOf(one.money), await alarmsOf(one.money)]).toEqual([
      'reversed',
      ['reversed_in_suspense'],
    ]);
    await expect(assign(one.id, one.money)).rejects.toThrow('reversed by its bank');
    expect((await takeBack(one)).told).toMatchObject({
      outcome: 'known',
      remarks: ['told_before'],
    });
  });

  test('is reversed if the payment and the reversal are in one file', async () => {
    const one = await put();
    await tell(one, { type: '0360', code: 'R08' });
    const file = await office.write(
      bank350Lines(office.date(), [lineOf(one), lineOf(one, { type: '0371' })]),
    );
    const { file: kept } = await office.import('direct-debit-350', file);
    const told = await office.lines(kept.id);
    expect(told.map(({ outcome }) => outcome)).toEqual(['suspense', 'reversed']);
    const open = await listSuspense(service.sql, { all: false, after: 0, limit: 1 });
    expect(open).toEqual([]);
  });

  test('has its alarm before the reversal is booked, and one after a repeat', async () => {
    const one = await putRefusedAndPaid();
    const file = await office.write(bank350Lines(office.date(), [lineOf(one, { type: '0371' })]));
    const reverseSuspense = () => Promise.reject(new Error('interrupted'));
    const interrupted = office.import('direct-debit-350', file, { books: { reverseSuspense } });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect([await stateOf(one.money), await alarmsOf(one.money)]).toEqual([
      'open',
      ['reversed_in_suspense'],
    ]);
    await office.import('direct-debit-350', file);
    expect([await stateOf(one.money), await alarmsOf(one.money)]).toEqual([
      'reversed',
      ['reversed_in_suspense'],
    ]);
  });

  test('stays in suspense with an alarm if somebody changed it by SQL', async () => {
    const one = await putRefusedAndPaid();
    const add = (more: number) => service.sql`
      update suspense set amount = amount + ${more} where id = ${one.money}`;
    await add(-1);
    const { told } = await takeBack(one);
    await add(1);
    expect(told).toMatchObject({ outcome: 'unmatched', remarks: ['not_paid'] });
    expect(await stateOf(one.money)).toBe('open');
    expect((await takeBack(one)).told).toMatchObject({ outcome: 'reversed' });
    const fact = `suspense 00000000-${one.money}`;
    expect(await service.sql`select kind from money_alarms where fact = ${fact}`).toEqual([
      { kind: 'forged_fact' },
    ]);
  });

  test('raises an alarm if the operator had already returned it', async () => {
    const one = await putRefusedAndPaid();
    const { base } = service.service.parts;
    await returnSuspense(base)({ id: one.money, note: 'to the bank', actor: testOperator });
    expect((await takeBack(one)).summary).toMatchObject({ reversed: 1 });
    expect([await stateOf(one.money), await alarmsOf(one.money)]).toEqual([
      'returned',
      ['reversed_after_return'],
    ]);
  });

  test('is reversed where the operator assigned it, to its debit or another one', async () => {
    const other = await put();
    await tell(other, { type: '0360', code: 'R08' });
    for (const isOwn of [true, false]) {
      const one = await putRefusedAndPaid();
      const target = isOwn ? one.id : other.id;
      await assign(target, one.money);
      expect((await takeBack(one)).summary).toMatchObject({ reversed: 1, not_paid: 0 });
      expect(await payments(target)).toEqual([{ source: 'money of a debit run', gone: true }]);
      expect((await office.show('debit-request', target)).state).toBe('reverted');
      expect((await takeBack(one)).told).toMatchObject({ outcome: 'known' });
      expect(await payments(target)).toHaveLength(1);
    }
  });

  test('is reversed on a request of another account', async () => {
    const one = await putRefusedAndPaid();
    const { id: accountId, key } = await anotherAccount(service);
    const request = { key, body: paymentRequestBody(service) };
    const { body } = await service.call('POST', '/payment-request', request);
    await assign(body.id, one.money, accountId);
    expect((await takeBack(one)).summary).toMatchObject({ reversed: 1, not_paid: 0 });
    const shown = await service.call('GET', `/payment-request/${body.id}`, { key });
    expect(shown.body.state).toBe('reverted');
    expect((await takeBack(one)).told).toMatchObject({ outcome: 'known' });
  });

  test('is reversed on its debit if the operator assigns it during the import', async () => {
    const one = await putRefusedAndPaid();
    const line = lineOf(one, { type: '0371' });
    const file = await office.write(bank350Lines(office.date(), [line]));
    const { summary } = await office.import('direct-debit-350', file, {
      books: {
        async reverseSuspense(reversal) {
          await assign(one.id, one.money);
          return await office.books.reverseSuspense(reversal);
        },
      },
    });
    expect(summary).toMatchObject({ reversed: 1, not_paid: 0 });
    expect((await office.show('debit-request', one.id)).state).toBe('reverted');
  });
});

describe('a reversal of another amount', () => {
  test('books nothing, and raises an alarm', async () => {
    const one = await put();
    await tell(one);
    const part = { type: '0371', amount: 43_050 };
    expect((await tell(one, part)).told).toMatchObject({
      outcome: 'unmatched',
      remarks: ['amount_differs'],
    });
    expect(await payments(one.id)).toEqual([{ source: 'debit run', gone: false }]);
    const alarms = await service.sql`
      select kind, amount from money_alarms where request_id = ${one.id}`;
    expect(alarms).toEqual([{ kind: 'amount', amount: 43_050 }]);
    expect((await takeBack(one)).summary).toMatchObject({ reversed: 1 });
  });

  test('books nothing if the payment is in the same file', async () => {
    const one = await put();
    const part = lineOf(one, { type: '0371', amount: 43_050 });
    const file = await office.write(bank350Lines(office.date(), [lineOf(one), part]));
    const { file: kept, summary } = await office.import('direct-debit-350', file);
    expect(summary).toMatchObject({ paid: 1, reversed: 0, amount_differs: 1 });
    expect(await office.lines(kept.id)).toMatchObject([
      { outcome: 'paid', remarks: [] },
      { outcome: 'unmatched', remarks: ['amount_differs'] },
    ]);
    expect((await office.show('debit-request', one.id)).state).toBe('paid');
  });

  test.each([false, true])(
    'leaves the whole reversal behind it in the same file to be booked (in suspense: %s)',
    async (isSuspended) => {
      const one = await put();
      if (isSuspended) await tell(one, { type: '0360', code: 'R08' });
      const part = lineOf(one, { type: '0371', amount: 43_050 });
      const whole = lineOf(one, { type: '0371' });
      const lines = [lineOf(one), part, whole, whole];
      const file = await office.write(bank350Lines(office.date(), lines));
      const { file: kept } = await office.import('direct-debit-350', file);
      expect((await office.lines(kept.id)).map(({ outcome }) => outcome)).toEqual([
        isSuspended ? 'suspense' : 'paid',
        'unmatched',
        'reversed',
        'known',
      ]);
      const open = await listSuspense(service.sql, { all: false, after: 0, limit: 100 });
      expect(open.filter(({ code }) => code === referenceOf(one.id))).toEqual([]);
      if (!isSuspended) {
        expect((await payments(one.id)).map(({ gone }) => gone)).toEqual([true]);
      }
    },
  );

  test('raises its alarm where the money is', async () => {
    const part = { type: '0371', amount: 43_050 };
    const one = await putRefusedAndPaid();
    await tell(one, part);
    expect(await alarmsOf(one.money)).toEqual(['amount']);
    const { id: accountId, key } = await anotherAccount(service);
    const request = { key, body: paymentRequestBody(service) };
    const { body } = await service.call('POST', '/payment-request', request);
    await assign(body.id, one.money, accountId);
    await tell(one, { ...part, due: office.date(-1) });
    const alarms = await service.sql`
      select account_id, result_id is not null as has_result from money_alarms
      where request_id = ${body.id}`;
    expect(alarms).toEqual([{ account_id: accountId, has_result: true }]);
  });

  test('takes back what was collected if it repeats the ordered amount', async () => {
    const one = await put();
    await tell(one, { collected: 100_000 });
    expect((await takeBack(one)).summary).toMatchObject({ reversed: 1, amount_differs: 0 });
    expect((await office.show('debit-request', one.id)).state).toBe('reverted');
  });
});

test('books a bank’s reversal in a file of more than 30 days after the payment', async () => {
  const one = await put();
  await tell(one, { collectedOn: office.date(-31) });
  expect((await takeBack(one)).summary).toMatchObject({ reversed: 1, not_paid: 0 });
  expect((await office.show('debit-request', one.id)).state).toBe('reverted');
});
