export { checkTransactions } from './audit.ts';
export { staticEvidence } from './evidence.ts';

import type { Account } from '../../accounts/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Attempts } from '../../money/charges/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Links } from '../../platform/links.ts';
import type { QrTerms } from '../payload/payload.ts';
import { createStatic } from './create.ts';
import { transactionSweep } from './expire.ts';
import { findStatics, getStatic } from './get.ts';
import { payStatic } from './pay.ts';
import { presentFound } from './present.ts';
import { activePeriod } from './state.ts';
import type { StaticRow } from './store.ts';
import { lastTransaction } from './store-transactions.ts';
import {
  type BeginIn,
  beginTransaction,
  newTransaction,
  prepareTransaction,
} from './transaction.ts';

export type { FindStatic } from './get.ts';
export { liveTransaction, staticState } from './state.ts';
export type { StaticRow } from './store.ts';

/** Transactions of static QRs, for payers of a printed code. */
export interface Transactions {
  /** Prepares a transaction for an amount chosen by the payer. */
  prepare(row: StaticRow, amount: Centavos): Promise<BeginIn>;
  /** Returns the request of the latest transaction, in any state, or null if there is none. */
  last(row: StaticRow): Promise<number | null>;
}

export interface StaticParts {
  links: Links;
  terms: QrTerms;
  attempts: Attempts;
  readAccount(id: string): Promise<Account | null>;
}

export function createStaticVerbs(base: Base, parts: StaticParts) {
  const { attempts, links, terms } = parts;
  const find = findStatics(base);
  const get = getStatic(find);
  const begin = beginTransaction(base);
  const prepare = prepareTransaction(base);
  const transactions: Transactions = {
    prepare: async (row, total) =>
      (await prepare(row, { total, minutes: activePeriod.standard, reference: null })).begin,
    last: ({ account_id: accountId, id }) => lastTransaction(base.sql, { accountId, id }),
  };
  return {
    create: createStatic(base, parts),
    find,
    get,
    transactions,
    newTransaction: newTransaction(base, find, terms),
    pay: payStatic(base, get, begin, attempts),
    show: async (ctx: Ctx, qrId: string) =>
      presentFound(await get(ctx, qrId), { links, now: base.clocks.business.now() }),
    sweep: transactionSweep(base),
  };
}

export type Statics = ReturnType<typeof createStaticVerbs>;
