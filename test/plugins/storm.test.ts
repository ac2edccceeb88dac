import { expect } from 'vitest';
import { testWith } from '../harness/programs.ts';
import { startService } from '../harness/service.ts';
import { odoo, wooCommerce } from './kinds.ts';
import { openShop, type ShopKind } from './shop.ts';
import { storm } from './storm.ts';

/**
 * `STORM_ORDERS=10000 npx vitest run test/plugins` plays the long version, and prints its times.
 */
const orders = Number(process.env.STORM_ORDERS ?? 500);
const timeoutMs = 60_000 + orders * 100;

const play = (kind: ShopKind) => async (): Promise<void> => {
  const service = await startService();
  const shop = await openShop(kind, service);
  try {
    const { wrong, notices, seconds } = await storm(service, shop, orders);
    if (process.env.STORM_ORDERS) process.stdout.write(`${JSON.stringify({ notices, seconds })}\n`);
    expect(wrong).toEqual([]);
    expect(notices.lost + notices.doubled + notices.late).toBeGreaterThan(orders / 5);
  } finally {
    await shop.close();
    await service.stop();
  }
};

testWith('php')(
  'leaves no WooCommerce order with a wrong state after lost, doubled and late notices',
  play(wooCommerce),
  timeoutMs,
);
testWith('python3')(
  'leaves no Odoo transaction with a wrong state after lost, doubled and late notices',
  play(odoo),
  timeoutMs,
);
