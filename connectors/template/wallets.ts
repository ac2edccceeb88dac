import { timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import type { Page, PageRequest } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import { json } from '../protocol/http.ts';
import type { Intend } from '../protocol/intend.ts';
import type { Notifier } from '../protocol/notify.ts';

// Codes paid by wallets: delete this file if your acquirer reports none. A network first asks
// whether a code may be paid, then reports the payment, and perhaps its reversal.

const intention = Type.Object({
  trx: Type.String({ minLength: 1, maxLength: 50 }),
  code: Type.String({ minLength: 1, maxLength: 1024 }),
  amount: Type.Integer({ minimum: 1 }),
});
const readIntention = reader(intention);

/** A wallet's payment in this imaginary acquirer's format: a sale with the code that was paid. */
export interface WalletPayment {
  code: string;
  amount: number;
  at: string;
  isReversed: boolean;
}

export interface Wallets {
  /** Secret that callers must send, because their questions create charges. */
  key: string;
  intend: Intend;
  tell: Notifier['tell'];
  /** Returns the acquirer's record of a payment, or null. */
  find: (trx: string) => Promise<WalletPayment | null>;
}

const isKey = (given: string | string[] | undefined, key: string): boolean => {
  const [a, b] = [Buffer.from(String(given ?? '')), Buffer.from(`Bearer ${key}`)];
  return a.length === b.length && timingSafeEqual(a, b);
};

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Reports the acquirer's record; safe to repeat. */
async function tellPaid({ find, tell }: Wallets, trx: string): Promise<void> {
  const payment = await find(trx);
  if (!payment) return;
  const { code, amount, at, isReversed } = payment;
  await tell({ type: 'qr.confirmed', trx, code, amount, paid_at: at });
  if (isReversed) await tell({ type: 'qr.reversed', trx, reason: '6200' });
}

/** Receives the acquirer's questions and notices; null for any other address. */
export async function walletPage(
  wallets: Wallets,
  { method, path, headers, body }: PageRequest,
): Promise<Page | null> {
  if (method !== 'POST' || !path.startsWith('/acquirer/wallets')) return null;
  if (!isKey(headers.authorization, wallets.key)) return { status: 401, headers: {}, body: '' };
  const read = readIntention(jsonIn(body));
  if ('fault' in read) return { status: 400, headers: {}, body: '' };
  if (path === '/acquirer/wallets/intention') {
    const answer = json(200, await wallets.intend(read.value));
    return { ...answer, headers: answer.headers ?? {} };
  }
  // The notice is a hint: the acquirer is queried, and only its answer is reported.
  await tellPaid(wallets, read.value.trx);
  return { status: 200, headers: {}, body: '' };
}

/** Returns the network's id of a wallet's payment; null for a charge that the service ordered. */
export const trxOf = (memo: unknown): string | null =>
  typeof memo === 'object' && memo !== null && 'trx' in memo ? String(memo.trx) : null;
