import { randomBytes } from 'node:crypto';
import type { Answer } from '../../protocol/http.ts';
import { bankAnswer, debinView, ordered, refuse } from './answers.ts';
import type { Book, Debin } from './book.ts';

export interface OrderBody {
  [member: string]: unknown;
}

export interface DebinOptions {
  account: string;
  /** Milliseconds until a buyer accepts. */
  payerMs: number;
}

const isObject = (value: unknown): value is OrderBody =>
  typeof value === 'object' && value !== null;
const concepts = ['ALQ', 'CUO', 'EXP', 'FAC', 'PRE', 'SEG', 'HON', 'HAB', 'VAR'];
const mostMinutes = 4_320;

const sum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0);
const digitOf = (digits: string, weights: readonly number[]): number =>
  (10 - (sum(digits, weights) % 10)) % 10;
const bankWeights = [7, 1, 3, 9, 7, 1, 3];
const accountWeights = [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3];

const isAccountNumber = (text: string): boolean =>
  /^\d{22}$/.test(text) &&
  digitOf(text, bankWeights) === Number(text[7]) &&
  digitOf(text.slice(8), accountWeights) === Number(text[21]);

const checked = (digits: string, weights: readonly number[]): string =>
  digits + String(digitOf(digits, weights));

/** Returns the CVU of a client of this bank: 000, 0322, check digit, 0, client, check digit. */
export const cvuFor = (client: string): string =>
  checked('0000322', bankWeights) + checked(`0${client.padStart(12, '0')}`, accountWeights);

function toFault(to: unknown): Answer | null {
  const { cbu, label } = isObject(to) ? to : {};
  if (cbu === undefined && label === undefined) return refuse('TX016', 'Falta CBU/CVU o alias');
  if (cbu !== undefined && label !== undefined) return refuse('TX017', 'CBU/CVU y alias');
  if (cbu !== undefined && !isAccountNumber(String(cbu))) return refuse('TX008', 'CBU inválido');
  if (label !== undefined && !/^[A-Za-z0-9.-]{6,20}$/.test(String(label))) {
    return refuse('TX009', 'Alias inválido');
  }
  return null;
}

function valueFault(value: unknown): Answer | null {
  if (!isObject(value)) return refuse('TX002', 'Falta value');
  const { currency, amount } = value;
  if (currency === undefined) return refuse('TX003', 'Falta la moneda');
  if (currency !== 'ARS') return refuse('TX012', 'Moneda inválida');
  if (amount === undefined) return refuse('TX004', 'Falta el monto');
  const isAmount =
    typeof amount === 'number' && amount > 0 && Number.isInteger(Math.round(amount * 1e4) / 100);
  return isAmount ? null : refuse('TX011', 'Monto inválido');
}

/** Returns the bank's refusal of an order, or null if it accepts the order. */
function orderFault(sent: OrderBody): Answer | null {
  const { origin_id: origin, to, value, concept, description, expiration } = sent;
  if (typeof origin !== 'string' || origin === '' || origin.length > 15) {
    return refuse('TX033', 'El id debe tener hasta 15 caracteres');
  }
  const fault = toFault(to) ?? valueFault(value);
  if (fault) return fault;
  if (!concepts.includes(String(concept))) return refuse('TX010', 'Concepto inválido');
  if (description !== undefined && (typeof description !== 'string' || description.length > 100)) {
    return refuse('TX035', 'La descripción supera los 100 caracteres');
  }
  const minutes = Number(expiration);
  const isLegal = typeof expiration === 'number' && minutes > 0 && minutes <= mostMinutes;
  return isLegal ? null : refuse('GE500', 'expiration inválida');
}

/**
 * Buyers' decisions by the last digits of the account in their CBU; null never decides. All others
 * accept.
 */
const buyers: Readonly<Record<string, string | null>> = {
  '0005': null,
  '0006': 'UNKNOWN_FOREVER',
  '0009': 'REJECTED_CLIENT',
};
const ending = (cbu = ''): string => cbu.slice(17, 21);

function debinOf(sent: OrderBody, { payerMs }: DebinOptions): Debin {
  const to = Object(sent.to);
  const now = Date.now();
  const end = ending(to.cbu);
  const becomes = end in buyers ? buyers[end] : 'COMPLETED';
  return {
    kind: 'DEBIN',
    id: randomBytes(11).toString('hex').toUpperCase(),
    originId: String(sent.origin_id),
    status: end === '0001' ? 'COMPLETED' : 'AWAITING_CONFIRMATION',
    to,
    amount: Number(Object(sent.value).amount),
    concept: String(sent.concept),
    startedAt: now,
    expiresAt: now + 60_000 * Number(sent.expiration),
    buyer: becomes && end !== '0001' ? { becomes, at: now + payerMs } : null,
  };
}

export function createDebins(book: Book, options: DebinOptions, tellLater: (debin: Debin) => void) {
  const { account } = options;

  /** Returns the DEBIN as of now: the buyer may have acted, or it may have expired. */
  async function current(debin: Debin): Promise<Debin> {
    if (debin.status !== 'AWAITING_CONFIRMATION') return debin;
    const now = Date.now();
    const acted = debin.buyer && debin.buyer.at <= now ? debin.buyer.becomes : null;
    const status = acted ?? (debin.expiresAt <= now ? 'EXPIRED' : null);
    if (status === null) return debin;
    const changed = { ...debin, status };
    await book.save(changed);
    return changed;
  }

  async function order(sent: OrderBody): Promise<Answer | 'drop'> {
    const before = book.byOrigin(String(sent.origin_id));
    if (before?.kind === 'DEBIN') {
      return bankAnswer(
        200,
        ordered(await current(before), account, ['TRANSACTION_ALREADY_CREATED']),
      );
    }
    const fault = orderFault(sent);
    if (fault) return fault;
    if (!book.isSeller(account)) return refuse('TX022', 'La cuenta no está habilitada para DEBIN');
    const debin = debinOf(sent, options);
    const end = ending(debin.to.cbu);
    if (end === '0002') return refuse('TX008', 'El CBU/CVU es inválido');
    if (end === '0007') return refuse('TX500', 'Error genérico');
    await book.add(debin);
    if (debin.buyer) tellLater(debin);
    if (end === '0004') return 'drop';
    return end === '0008'
      ? refuse('TX500', 'Error genérico')
      : bankAnswer(200, ordered(debin, account));
  }

  async function about(id: string, method: string): Promise<Answer> {
    const found = book.row(id);
    if (found?.kind !== 'DEBIN') return refuse('TX018', 'DEBIN no encontrado');
    const debin = await current(found);
    if (method === 'GET') return bankAnswer(200, debinView(debin, account));
    if (debin.status !== 'AWAITING_CONFIRMATION') {
      return refuse('TX500', 'El pedido no está pendiente');
    }
    await book.save({ ...debin, status: 'CANCELED' });
    return bankAnswer(200, { id });
  }

  async function adhere({ enabled }: OrderBody): Promise<Answer> {
    if (typeof enabled !== 'boolean') return refuse('GE003', 'Falta enabled');
    await book.setSeller(account, enabled);
    return bankAnswer(200, { adhered: enabled, account_id: account });
  }

  return { current, order, about, adhere };
}
