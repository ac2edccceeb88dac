import type { Account } from '../accounts/index.ts';
import { type Centavos, decimalText } from '../kernel/money.ts';
import type { NetworkAttempt, NetworkVerbs } from '../money/charges/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { Refusal } from '../platform/errors.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { type RequestKey, type RequestRow, readRequests } from '../requests/index.ts';
import type { QrTerms } from './payload/payload.ts';
import { readScanned } from './payload/scanned.ts';
import type { FindOrder, Scan, ScanCode } from './resolve/find.ts';
import { openAmount } from './resolve/resolve.ts';
import type { FindStatic, StaticRow, Transactions } from './static/index.ts';

/** A network's announcement that a payer is about to pay a code. */
export interface Intention {
  connector: string;
  trx: string;
  /** The code's text. */
  code: string;
  amount: Centavos;
  actor: Actor;
}

export type IntentionOutcome =
  | ({ status: 'pass' } & NetworkAttempt)
  | {
      status: 'fail';
      /** Codes that `resolve` also uses for refusals. */
      code: 'unsupported_qr_code' | 'unsupported_merchant' | 'empty_order' | 'error';
      reason: string;
    };

type Fail = Extract<IntentionOutcome, { status: 'fail' }>;

export interface QrNetwork {
  /** Opens an attempt if a code may be paid now with that amount. */
  intend(intention: Intention): Promise<IntentionOutcome>;
  /**
   * Returns the request that an unannounced payment pays, which may be a new transaction of a
   * static code. Returns null if the code is unknown or not ours.
   */
  requestPaid(payment: Pick<Intention, 'code' | 'amount' | 'actor'>): Promise<RequestRow | null>;
}

export interface QrNetworkParts {
  network: NetworkVerbs;
  terms: QrTerms;
  scan: ScanCode;
  findOrder: FindOrder;
  findStatic: FindStatic;
  transactions: Transactions;
  readAccount(id: string): Promise<Account | null>;
}

const fail = (code: Fail['code'], reason: string): Fail => ({ status: 'fail', code, reason });

/** Returns why the code does not accept an amount, or null. */
function amountFault(found: Exclude<Scan, { kind: 'refused' | 'waiting' }>, amount: Centavos) {
  if (found.kind === 'closed') {
    const { amount: due } = found.order;
    return amount === due ? null : `The amount due is ${decimalText(due)}.`;
  }
  const { least, most } = openAmount;
  if (amount >= least && amount <= most) return null;
  return `Between ${decimalText(least)} and ${decimalText(most)} can be paid.`;
}

/** Handles networks' messages about codes: announced and completed payments. */
export function createQrNetwork({ sql }: Base, parts: QrNetworkParts): QrNetwork {
  const { network, terms, scan, findOrder, findStatic, transactions, readAccount } = parts;

  const readRequest = async (at: typeof sql | Transaction, key: RequestKey) => {
    const [row] = await readRequests(at, [key]);
    if (!row) throw new Error(`request ${key.id} is gone`);
    return row;
  };

  const announce = async (
    found: Exclude<Scan, { kind: 'refused' | 'waiting' }>,
    { code, ...payment }: Intention,
  ): Promise<NetworkAttempt> => {
    const { account } = found;
    const networkPayment = { ...payment, channel: 'qr', target: code } as const;
    if (found.kind === 'closed') {
      const key = { accountId: account.id, id: found.order.number };
      return await network.announce(networkPayment, account.id, (tx) => readRequest(tx, key));
    }
    const begin = await transactions.prepare(found.row, payment.amount);
    return await network.announce(networkPayment, account.id, (tx) => begin(tx, payment.actor));
  };

  /**
   * Returns the request that a payment of a static code pays: the last one if the amount is fixed
   * or the code accepts no more payments. Otherwise, or without a last one, it is a new one.
   * Returns null if the code is unknown.
   */
  const paidOnWall = async (
    accountId: string,
    id: string,
    { amount, actor }: Pick<Intention, 'amount' | 'actor'>,
  ): Promise<RequestRow | null> => {
    const found = await findStatic({ accountId, id });
    if (found?.kind !== 'static') return null;
    const { row } = found.state;
    const last = await transactions.last(row);
    const again = last === null ? null : await readRequest(sql, { accountId, id: last });
    if (again && !row.open_amount) return again;
    return await beginPaid(row, { amount, actor }, again);
  };

  const beginPaid = async (
    row: StaticRow,
    { amount, actor }: Pick<Intention, 'amount' | 'actor'>,
    again: RequestRow | null,
  ): Promise<RequestRow> => {
    try {
      const begin = await transactions.prepare(row, amount);
      return await sql.begin((tx) => begin(tx, actor));
    } catch (error) {
      // The QR accepts no more payments, so this is more money for its last request.
      if (again && error instanceof Refusal && error.kind === 'conflict') return again;
      throw error;
    }
  };

  return {
    async intend(intention) {
      try {
        const found = await scan(intention.code);
        if (found.kind === 'refused') return fail(found.status, found.message);
        if (found.kind === 'waiting') return fail('empty_order', 'There is nothing to pay now.');
        const fault = amountFault(found, intention.amount);
        if (fault !== null) return fail('error', fault);
        return { status: 'pass', ...(await announce(found, intention)) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.kind === 'unprocessable') return fail('unsupported_qr_code', error.message);
        if (error.kind === 'conflict') return fail('error', error.message);
        throw error;
      }
    },
    async requestPaid({ code, ...payment }) {
      const scanned = readScanned(code, terms);
      if (typeof scanned === 'string' || !scanned.ours) return null;
      const { kind, id, holderCuit } = scanned;
      const account = await readAccount(id.slice(0, 8));
      if (account === null || holderCuit !== account.cuit) return null;
      if (kind === 'static') return await paidOnWall(account.id, id, payment);
      const order = await findOrder({ accountId: account.id, code: id });
      return order && (await readRequest(sql, { accountId: account.id, id: order.number }));
    },
  };
}
