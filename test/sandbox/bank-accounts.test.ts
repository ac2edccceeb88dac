import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildCvu } from '../../src/kernel/cbu.ts';
import { centavos } from '../../src/kernel/money.ts';
import { system } from '../../src/platform/actor.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let player: Player;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
});
afterAll(() => service.stop());
afterEach(async () => expect(await player.faults()).toEqual([]));

const checkDigit = (digits: string): number => {
  const weights = [3, 1, 7, 9];
  const sum = [...digits]
    .reverse()
    .reduce((all, one, at) => all + Number(one) * (weights[at % 4] ?? 0), 0);
  return (10 - (sum % 10)) % 10;
};
const cbuEnding = (ending: string): string => {
  const [bank, account] = ['0070999', ending.padStart(13, '0')];
  return `${bank}${checkDigit(bank)}${account}${checkDigit(account)}`;
};

describe('a DEBIN order', () => {
  test('pays a DEBIN at once when the payer accepts, and makes it available the same day', async () => {
    const id = await player.create();
    const { status, body } = await player.pay(id, {
      channel: 'DEBIN',
      cbu_number: cbuEnding('1234'),
    });
    expect([status, body.state]).toEqual([200, 'paid']);
    expect(body.request_result).toMatchObject([
      { type: 'collected_payment_request_result', channel: 'DEBIN', is_available: false },
    ]);
    await player.move({ minutes: 0 });
    expect((await player.get(id)).request_result).toMatchObject([{ is_available: true }]);
  });

  test.each([
    ['9902', 'R02'],
    ['9910', 'R10'],
    ['9915', 'R15'],
    ['9924', 'R24'],
  ])(
    'refuses a DEBIN on an account that ends in %s with %s, and allows another attempt',
    async (ending, code) => {
      const id = await player.create();
      const { body } = await player.pay(id, { channel: 'DEBIN', cbu_number: cbuEnding(ending) });
      expect(body.state).toBe('pending');
      expect(body.request_result).toMatchObject([{ type: 'rejected_payment_request_result' }]);
      const [kept] = await service.sql<{ details: { code: string } }[]>`
      select details from results where request_id = ${id}`;
      expect(kept?.details.code).toBe(code);
      expect((await player.pay(id, { channel: 'DEBIN' })).body.state).toBe('paid');
    },
  );

  test('waits a day for an unanswered DEBIN, blocks another meanwhile, and then pays', async () => {
    const id = await player.create({ first_total: 100.94 });
    const { body } = await player.pay(id, { channel: 'DEBIN' });
    expect([body.state, body.request_result]).toEqual(['pending', []]);
    expect((await player.pay(id, { channel: 'DEBIN' })).status).toBe(409);
    await player.move({ days: 1 });
    expect((await player.get(id)).state).toBe('paid');
  });

  test('reports an invalid CBU at that field', async () => {
    const id = await player.create();
    const cbu = cbuEnding('1234').replace(/^007/, '008');
    const { status, body } = await player.pay(id, { channel: 'DEBIN', cbu_number: cbu });
    expect(status).toBe(400);
    expect(body.children.cbu_number.errors).toEqual([
      'This value must be a CBU: 22 digits with correct check digits, and not a CVU.',
    ]);
  });
});

describe('a transfer', () => {
  const arrive = (cvu: string, sourceRef: string = randomUUID()) =>
    service.service.parts.receiveTransfer({
      cvu,
      amount: centavos(143_050),
      paidAt: service.service.parts.clocks.business.now(),
      source: 'bank',
      sourceRef,
      actor: system,
    });

  test('pays a request by a simulated transfer to its own account', async () => {
    const id = await player.create();
    const { body } = await player.pay(id, { channel: 'wire_transfer', amount: 1.5 });
    expect([body.state, body.request_result]).toEqual([
      'paid',
      [expect.objectContaining({ channel: 'Transferencia', amount: 1.5 })],
    ]);
  });

  test('pays a request by a transfer to its account, once if repeated', async () => {
    const id = await player.create();
    await Promise.all([arrive(buildCvu('9991', id), 'a'), arrive(buildCvu('9991', id), 'a')]);
    const { state, request_result: results } = await player.get(id);
    expect([state, results.length]).toEqual(['paid', 1]);
  });

  test.each([
    ['without a request', buildCvu('9991', 999_999_999_999)],
    ['at another provider', buildCvu('0003', 1)],
    ['with an unreadable number', '12'],
  ])('puts a transfer to an account %s into suspense, once', async (_what, cvu) => {
    const told = randomUUID();
    await arrive(cvu, told);
    await arrive(cvu, told);
    const kept = await service.sql`
      select code, channel, amount, reason from suspense where source_ref = ${told}`;
    expect(kept).toEqual([
      { code: cvu, channel: 'wire_transfer', amount: 143_050, reason: 'unknown_request' },
    ]);
  });
});
