import { audit } from './audit.ts';
import { bulk } from './bulk.ts';
import type { Case } from './case.ts';
import { client } from './client.ts';
import { connectors } from './connectors.ts';
import { cores } from './cores.ts';
import { create } from './create.ts';
import { debit } from './debit.ts';
import { flow } from './flow.ts';
import { get } from './get.ts';
import { imports } from './imports.ts';
import { load } from './load.ts';
import { mixed } from './mixed.ts';
import { balances, posting, report } from './money.ts';
import { neighbours } from './neighbours.ts';
import { portal } from './portal.ts';
import { qr } from './qr.ts';
import { scale } from './scale.ts';
import { start } from './start.ts';
import { webhooks } from './webhooks.ts';

export const cases: Record<string, Case> = {
  create,
  get,
  flow,
  cores,
  mixed,
  neighbours,
  start,
  scale,
  posting,
  report,
  balances,
  audit,
  qr,
  bulk,
  webhooks,
  debit,
  connectors,
  imports,
  portal,
  client,
  load,
};

/** Cases that run only if named, because they take hours with their default size. */
export const onlyNamed: readonly string[] = ['load'];
