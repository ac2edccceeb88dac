import path from 'node:path';
import { packageRoot } from '../../src/package-root.ts';
import type { ShopKind } from './shop.ts';

const file = (name: string) => path.join(packageRoot(), 'test/plugins', name);

export const wooCommerce: ShopKind = {
  command: 'php',
  worker: file('woocommerce/worker.php'),
  keepsRefundOfDeadProcess: true,
  refundsToAccounts: true,
};

export const odoo: ShopKind = {
  command: 'python3',
  worker: file('odoo/worker.py'),
  // Odoo rolls back the writes of a dead process, and its refunds have no reason field for a CBU.
  keepsRefundOfDeadProcess: false,
  refundsToAccounts: false,
};
