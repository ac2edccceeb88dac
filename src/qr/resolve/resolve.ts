import type { Account } from '../../accounts/index.ts';
import { buildCvu } from '../../kernel/cbu.ts';
import { type Centavos, centavos, toJsonNumber } from '../../kernel/money.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { amountDue, stateOn } from '../../requests/index.ts';
import type { FindQr } from '../dynamic/index.ts';
import { QrRefusal } from '../errors/refusal.ts';
import type { QrTerms } from '../payload/payload.ts';
import { readScanned } from '../payload/scanned.ts';
import type { QrState } from '../row.ts';
import { statusNames } from '../state.ts';
import { type FindStatic, liveTransaction, staticState } from '../static/index.ts';
import type { Payable, ResolveAnswer } from './schema.ts';

/** How wallets know this deployment, and where it takes transfers. */
export interface ResolveTerms extends QrTerms {
  administratorName: string;
  /** Provider code of the transfer accounts. */
  cvuPsp: string | null;
}

/** What a dynamic code asks for, whatever it was made for. */
export interface QrOrder {
  /** What a payment refers to. */
  id: string;
  /** Number of the request: its transfer account's. */
  number: number;
  description: string;
  postalCode: string | null;
  /** What is due today. */
  amount: Centavos;
  state: QrState;
}

/** By the id in a code of the account; null: nothing was issued under it. */
export type FindOrder = (key: { accountId: string; code: string }) => Promise<QrOrder | null>;

export interface ResolveParts {
  terms: ResolveTerms;
  clocks: Clocks;
  readAccount(id: string): Promise<Account | null>;
  findStatic: FindStatic;
  findDynamic: FindQr;
  /** Asked for what no QR of the service is called. */
  findBilled: FindOrder;
}

export type Resolve = (data: string) => Promise<ResolveAnswer>;

/** Seconds after which a wallet may ask again for a code without an order. */
const retryDelay = 2;

/** Bounds of what a payer may choose to pay. */
const leastAmount = centavos(1);
const mostAmount = centavos(99_999_999_99);

/** Characters of a name, in the answer's shape, and of a title. */
const longestName = 50;
const longestTitle = 50;

const firstOf = (text: string, max: number): string => [...text].slice(0, max).join('');

const unsupported = (message: string): ResolveAnswer => ({
  status: 'unsupported_qr_code',
  message,
});
const refused = (message: string): ResolveAnswer => ({ status: 'error', message });

/** An order as it is told: a number for the transfer account, and the order. */
interface Told {
  number: number;
  order: Payable['order'];
}

type ClosedOrder = Pick<QrOrder, 'id' | 'number' | 'description'>;

const closed = ({ id, number, description }: ClosedOrder, total: Centavos): Told => ({
  number,
  order: {
    id,
    total_amount: toJsonNumber(total),
    items: [
      {
        title: firstOf(description, longestTitle),
        description,
        quantity: 1,
        unit_price: toJsonNumber(total),
        currency_id: 'ARS',
      },
    ],
  },
});

/** Answers wallets what a scanned code asks for (docs/qr.md, resolving). */
export function resolveQr({ terms, clocks, readAccount, ...find }: ResolveParts): Resolve {
  const payable = (
    status: Payable['status'],
    account: Account,
    postalCode: string | null,
    { number, order }: Told,
  ): ResolveAnswer => ({
    status,
    administrator: {
      identification_number: terms.administratorCuit,
      name: terms.administratorName,
    },
    collector: {
      account: buildCvu(terms.cvuPsp ?? '', number),
      identification_number: account.cuit,
      name: firstOf(account.name, longestName),
      mcc: terms.mcc,
      ...(postalCode !== null && { postal_code: postalCode }),
    },
    order,
    payment_methods_allowed: [{ id: 'TRANSFER' }],
  });

  const resolveStatic = async (account: Account, id: string): Promise<ResolveAnswer> => {
    const found = await find.findStatic({ accountId: account.id, id });
    if (found?.kind !== 'static') return unsupported('This code was not issued here.');
    const { row } = found.state;
    const state = staticState(found.state);
    if (state !== 'pending') return refused(`The QR is ${statusNames[state]}.`);
    if (row.open_amount) {
      return payable('open_amount', account, row.postal_code, {
        number: row.number,
        order: {
          id: row.id,
          min_amount: toJsonNumber(leastAmount),
          max_amount: toJsonNumber(mostAmount),
        },
      });
    }
    const live = liveTransaction(found.state, clocks.business.now());
    if (live === null) return { status: 'pending', retry_delay: retryDelay };
    return payable(
      'closed_amount',
      account,
      row.postal_code,
      closed({ ...live, id: live.code, number: live.id }, live.total1),
    );
  };

  const findOwn: FindOrder = async (key) => {
    const found = await find.findDynamic(key);
    if (found === null) return null;
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

  const resolveDynamic = async (account: Account, id: string): Promise<ResolveAnswer> => {
    const key = { accountId: account.id, code: id };
    const order = (await findOwn(key)) ?? (await find.findBilled(key));
    if (order === null) return unsupported('This code was not issued here.');
    if (order.state !== 'pending') return refused(`The QR is ${statusNames[order.state]}.`);
    return payable('closed_amount', account, order.postalCode, closed(order, order.amount));
  };

  return async (data) => {
    const scanned = readScanned(data, terms);
    if (typeof scanned === 'string') throw new QrRefusal('resolveDataInvalid', scanned);
    const { ours, kind, id, holderCuit } = scanned;
    if (!ours) return unsupported('This code is of another acceptor.');
    if (!terms.offered) return refused('The collector takes no payments by QR now.');
    const account = await readAccount(id.slice(0, 8));
    if (account === null || holderCuit !== account.cuit) {
      return { status: 'unsupported_merchant', message: 'The collector is not known here.' };
    }
    if (account.state !== 'active') return refused('The collector takes no payments now.');
    return await (kind === 'static' ? resolveStatic(account, id) : resolveDynamic(account, id));
  };
}
