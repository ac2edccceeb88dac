import type { Account } from '../../accounts/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { amountDue, stateOn } from '../../requests/index.ts';
import { refusal } from '../codes.ts';
import type { FindQr } from '../dynamic/index.ts';
import type { QrTerms } from '../payload/payload.ts';
import { readScanned } from '../payload/scanned.ts';
import type { QrState } from '../row.ts';
import { statusNames } from '../state.ts';
import { type FindStatic, liveTransaction, type StaticRow, staticState } from '../static/index.ts';

/** Identifiers of this deployment in codes, and of its transfer accounts. */
export interface ResolveTerms extends QrTerms {
  administratorName: string;
  /** Provider code of the transfer accounts. */
  cvuPsp: string | null;
}

/** The order of a code: of a dynamic QR, a payment request, or a static QR's transaction. */
export interface QrOrder {
  /** The payment's reference. */
  id: string;
  /** The request's number, which its transfer account shares. */
  number: number;
  description: string;
  postalCode: string | null;
  /** The amount due today. */
  amount: Centavos;
  state: QrState;
}

/** Finds an account's order by the id in a code. Returns null if none was issued. */
export type FindOrder = (key: { accountId: string; code: string }) => Promise<QrOrder | null>;

export interface ScanParts {
  terms: ResolveTerms;
  clocks: Clocks;
  readAccount(id: string): Promise<Account | null>;
  findStatic: FindStatic;
  findDynamic: FindQr;
  /** Called for ids that are not QRs of the service. */
  findBilled: FindOrder;
}

export type Scan =
  | {
      kind: 'refused';
      status: 'unsupported_qr_code' | 'unsupported_merchant' | 'error';
      message: string;
    }
  /** A static code without an open transaction. */
  | { kind: 'waiting' }
  | { kind: 'open'; account: Account; row: StaticRow }
  | { kind: 'closed'; account: Account; order: QrOrder };

/** Reads a scanned text. Throws 422 if it is not a QR's. */
export type ScanCode = (data: string) => Promise<Scan>;

const unsupported = (message: string): Scan => ({
  kind: 'refused',
  status: 'unsupported_qr_code',
  message,
});
const refused = (message: string): Scan => ({ kind: 'refused', status: 'error', message });

/** Finds the order of a dynamic code: a QR of the service, or another request. */
export function findOrders({
  clocks,
  findDynamic,
  findBilled,
}: Pick<ScanParts, 'clocks' | 'findDynamic' | 'findBilled'>): FindOrder {
  return async (key) => {
    const found = await findDynamic(key);
    if (found === null) return await findBilled(key);
    const { row } = found;
    const today = clocks.business.today();
    return {
      id: row.code,
      number: row.id,
      description: row.description,
      postalCode: row.details.postal_code ?? null,
      amount: amountDue(row, today),
      state: stateOn(row, today),
    };
  };
}

/**
 * Resolves a scanned code to what a payer can pay with it now, or to the reason that there is
 * nothing.
 */
export function scanCodes(parts: ScanParts): ScanCode {
  const { terms, clocks, readAccount, findStatic } = parts;
  const findOrder = findOrders(parts);

  const scanStatic = async (account: Account, id: string): Promise<Scan> => {
    const found = await findStatic({ accountId: account.id, id });
    if (found?.kind !== 'static') return unsupported('This code was not issued here.');
    const { row } = found.state;
    const state = staticState(found.state);
    if (state !== 'pending') return refused(`The QR is ${statusNames[state]}.`);
    if (row.open_amount) return { kind: 'open', account, row };
    const live = liveTransaction(found.state, clocks.business.now());
    if (live === null) return { kind: 'waiting' };
    const { code, id: number, description, total1: amount } = live;
    const { postal_code: postalCode } = row;
    const order = { id: code, number, description, postalCode, amount, state };
    return { kind: 'closed', account, order };
  };

  const scanDynamic = async (account: Account, code: string): Promise<Scan> => {
    const order = await findOrder({ accountId: account.id, code });
    if (order === null) return unsupported('This code was not issued here.');
    if (order.state !== 'pending') return refused(`The QR is ${statusNames[order.state]}.`);
    return { kind: 'closed', account, order };
  };

  return async (data) => {
    const scanned = readScanned(data, terms);
    if (typeof scanned === 'string') throw refusal('qr.resolve_data_invalid', { fault: scanned });
    const { ours, kind, id, holderCuit } = scanned;
    if (!ours) return unsupported('This code is of another acceptor.');
    if (!terms.offered) return refused('The collector takes no payments by QR now.');
    const account = await readAccount(id.slice(0, 8));
    if (account === null || holderCuit !== account.cuit) {
      const message = 'The collector is not known here.';
      return { kind: 'refused', status: 'unsupported_merchant', message };
    }
    if (account.state !== 'active') return refused('The collector takes no payments now.');
    return await (kind === 'static' ? scanStatic(account, id) : scanDynamic(account, id));
  };
}
