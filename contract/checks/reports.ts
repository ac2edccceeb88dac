import { expectItems, expectMembers, expectRefused, expectStatus } from '../api.ts';
import { section } from '../check.ts';

const reportsByName = {
  collection: ['total_collected', 'amount_paid'],
  chargeback: ['total_chargeback', 'reverted_amount'],
  refund: ['total_refunded', 'refunded_amount'],
  settlement: ['settlement_amount', 'credit'],
  retentions: ['total_amount', 'amount'],
} as const;

export const reports = section('Reports and balances', 'interface', {
  ...Object.fromEntries(
    Object.entries(reportsByName).map(([name, [total, amount]]) => [
      `the ${name} report of a day has ${total} and items with ${amount}`,
      async (world) => {
        const answer = await world.call('GET', `/report/${name}/${world.day(0)}`);
        expectStatus(answer, 200);
        const kinds = { account_id: 'text', [total]: 'number', data: 'list' } as const;
        const { data } = expectMembers(answer.body, kinds);
        expectItems(data, { request_id: 'integer', [amount]: 'number' });
      },
    ]),
  ),
  'the account has an available and an unavailable balance': async (world) => {
    const answer = await world.call('GET', '/account/balances');
    expectStatus(answer, 200);
    expectMembers(answer.body, {
      ...{ user_account_id: 'text', available_balance: 'number', unavailable_balance: 'number' },
    });
  },
  'calls without a valid key are refused': async (world) => {
    for (const key of [null, 'no-such-key']) {
      expectRefused(await world.call('GET', '/account/balances', { key }), 'a call without key');
      expectRefused(await world.qr('GET', '/bucket-url', { key }), 'a call without key');
    }
  },
});
