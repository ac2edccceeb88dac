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
  // Odoo rolls back what a dead process wrote, and its refunds have no reason to write a CBU into.
  keepsRefundOfDeadProcess: false,
  refundsToAccounts: false,
};
