import { describe, expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import type { ResultRow } from '../../../src/money/collections/index.ts';
import { type Reversal, reversalWrite } from '../../../src/money/reversals/reversal.ts';
import { system } from '../../../src/platform/actor.ts';
import type { RequestRow } from '../../../src/requests/index.ts';

/**
 * A payment of 1.00 with a minimum fee of 100.00 and its VAT, in an account to which fees are
 * returned.
 */
const now = Temporal.Instant.from('2026-03-10T15:00:00Z');
const request = { account_id: 'A1B2C3D4', id: 7, kind: 'payment_request' } as RequestRow;
const paymentOf = (over: Partial<ResultRow>): ResultRow =>
  ({
    account_id: 'A1B2C3D4',
    id: 1,
    request_id: 7,
    kind: 'payment_request',
    type: 'collected',
    channel: 'non_banking',
    amount: centavos(100),
    net_fee: centavos(10_000),
    fee_iva: centavos(2_100),
    withheld: centavos(0),
    unreleased: centavos(-12_000),
    refunded: centavos(0),
    charged_back: centavos(0),
    refunding: centavos(0),
    released_on: null,
    reference: null,
    ...over,
  }) as ResultRow;

const writtenOf = (type: Reversal['type'], over: Partial<ResultRow>) => {
  const target = paymentOf(over);
  const reversal: Reversal = {
    key: { accountId: request.account_id, id: request.id },
    type,
    resultId: null,
    amount: null,
    actor: system,
    source: 'test',
    sourceRef: '1',
    comment: '',
  };
  const facts = {
    request,
    target,
    othersLive: false,
    lines: [],
    settings: { returns_fees: true },
  };
  return reversalWrite(reversal, facts, { result: 2, journal: 3, event: 4 }, now);
};

/** Returns the amounts that a journal takes from the unavailable and the available balance. */
const bornBy = (type: Reversal['type'], over: Partial<ResultRow>): [number, number] => {
  const { journal } = writtenOf(type, over);
  const on = (account: number): number => {
    const index = journal?.entry.accounts.map(Number).indexOf(account) ?? -1;
    return index < 0 ? 0 : (journal?.entry.amounts[index] ?? 0);
  };
  return [on(1), on(2)];
};

describe.each(['chargeback', 'refund'] as const)('a %s whose parts exceed its gross', (type) => {
  test.each([
    ['that owes all of it', -12_000],
    ['that owes nothing', 0],
    ['that has something left', 500],
  ])(
    'returns the excess to the unavailable balance before the release of a payment %s',
    (_what, left) => {
      expect(bornBy(type, { unreleased: centavos(left) })).toEqual([-12_000, 0]);
      expect(writtenOf(type, { unreleased: centavos(left) }).back?.unreleased).toBe(-12_000);
    },
  );

  test('returns the excess to the available balance after the release', () => {
    const released_on = Temporal.PlainDate.from('2026-03-09');
    expect(bornBy(type, { unreleased: centavos(0), released_on })).toEqual([0, -12_000]);
  });
});

test('takes a chargeback first from what is left of the payment if its parts are below the gross', () => {
  const fees = { net_fee: centavos(10), fee_iva: centavos(2) };
  expect(bornBy('chargeback', { ...fees, unreleased: centavos(88) })).toEqual([88, 0]);
  expect(bornBy('chargeback', { ...fees, unreleased: centavos(30) })).toEqual([30, 58]);
  expect(bornBy('chargeback', { ...fees, unreleased: centavos(200) })).toEqual([88, 0]);
});
