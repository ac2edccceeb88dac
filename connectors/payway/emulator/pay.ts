import { randomUUID } from 'node:crypto';
import type { Answer } from '../../protocol/http.ts';
import { falseZ, invalid, jsonAnswer, paymentBody } from './answers.ts';
import type { Book, Payment, Token } from './book.ts';
import { behaviorOf, brandOf, isLuhn } from './cards.ts';

export interface Timing {
  slowMs: number;
  hiddenMs: number;
  reviewMs: number;
  /** Time limit of a payer's authentication. */
  authenticateMs: number;
}

/** Thrown to drop the connection, as if the acquirer's answer were lost. */
export class Dropped extends Error {}

const textOf = (body: Record<string, unknown>, name: string): string => {
  const value = body[name];
  if (value === undefined || value === null || value === '') throw invalid('param_required', name);
  if (typeof value !== 'string') throw invalid('invalid_param', name);
  return value;
};

/** Creates a token for a card on file, which the site may charge without the security code. */
async function tokeniseKept(book: Book, id: string, now: number): Promise<Answer> {
  const card = book.cardToken(id);
  if (!card) throw invalid('invalid_param', 'token');
  const token: Token = { ...card.token, id: randomUUID(), used: false };
  await book.addToken(token);
  const { bin, lastFour } = token;
  return jsonAnswer(201, {
    id: token.id,
    status: 'active',
    date_created: falseZ(now),
    bin,
    last_four_digits: lastFour,
    date_due: falseZ(now + 900_000),
    cardholder: token.holder,
  });
}

/** Stores the card of a payment that names a user, unless the user has it already. */
async function keepCard(
  book: Book,
  { id: _, used: __, ...token }: Token,
  user: unknown,
  method: number,
) {
  if (typeof user !== 'string' || user === '') return;
  const same = book.cardTokensOf(user).some((one) => one.token.lastFour === token.lastFour);
  if (!same) await book.keepCard({ id: randomUUID(), user, method, token });
}

/** `POST /tokens`, from the browser or the site. Keeps only the number's first and last digits. */
export async function tokenise(
  book: Book,
  body: Record<string, unknown>,
  now: number,
): Promise<Answer> {
  if (body.token !== undefined) return await tokeniseKept(book, textOf(body, 'token'), now);
  const number = textOf(body, 'card_number');
  const month = textOf(body, 'card_expiration_month');
  const year = textOf(body, 'card_expiration_year');
  const code = textOf(body, 'security_code');
  const name = textOf(body, 'card_holder_name');
  const holder = body.card_holder_identification;
  if (typeof holder !== 'object' || holder === null) {
    throw invalid('param_required', 'card_holder_identification');
  }
  const brand = brandOf(number);
  if (!/^\d{13,19}$/.test(number) || !isLuhn(number) || !brand) {
    throw invalid('invalid_param', 'card_number');
  }
  if (!/^(0[1-9]|1[0-2])$/.test(month)) throw invalid('invalid_param', 'card_expiration_month');
  const ends = Date.UTC(2000 + Number(year), Number(month));
  if (!/^\d\d$/.test(year) || ends < now) throw invalid('invalid_param', 'card_expiration_year');
  if (!/^\d{3,4}$/.test(code)) throw invalid('invalid_param', 'security_code');
  const token: Token = {
    id: randomUUID(),
    bin: number.slice(0, 6),
    lastFour: number.slice(-4),
    brand,
    behavior: behaviorOf(number),
    holder: { identification: holder, name },
    used: false,
  };
  await book.addToken(token);
  return jsonAnswer(201, {
    id: token.id,
    status: 'active',
    card_number_length: number.length,
    date_created: falseZ(now),
    bin: token.bin,
    last_four_digits: token.lastFour,
    security_code_length: code.length,
    expiration_month: Number(month),
    expiration_year: Number(year),
    date_due: falseZ(now + 900_000),
    cardholder: token.holder,
  });
}

function wholeOf(body: Record<string, unknown>, name: string, most: number): number {
  const value = body[name];
  if (value === undefined) throw invalid('param_required', name);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most) {
    throw invalid('invalid_param', name);
  }
  return value;
}

/** Members of the browser's data, with their types in the acquirer's libraries. */
const browserTypes: Readonly<Record<string, string>> = {
  device_type: 'string',
  accept_header: 'string',
  user_agent: 'string',
  ip: 'string',
  java_enabled: 'boolean',
  language: 'string',
  color_depth: 'string',
  screen_height: 'number',
  screen_width: 'number',
  time_zone_offset: 'number',
};

function checkBrowser(body: Record<string, unknown>): void {
  if (body.cardholder_auth_required !== true) return;
  const data = Object(body.auth_3ds_data);
  for (const [name, type] of Object.entries(browserTypes)) {
    if (data[name] === undefined) throw invalid('param_required', `auth_3ds_data.${name}`);
    if (typeof data[name] !== type) throw invalid('invalid_param', `auth_3ds_data.${name}`);
  }
}

/** Buyer data for the fraud control; reason codes for missing members start at 10102. */
const buyer = [
  'city',
  'country',
  'customer_id',
  'email',
  'first_name',
  'last_name',
  'phone_number',
  'postal_code',
  'state',
  'street1',
];

/** Returns the fraud control's reason code for the first missing member, or null. */
function missingOf(body: Record<string, unknown>): { id: number; description: string } | null {
  const told = Object(body.fraud_detection);
  const { amount, currency } = Object(told.purchase_totals);
  const isWhole = told.send_to_cs === true && amount === body.amount && currency === 'ARS';
  if (!isWhole || typeof told.channel !== 'string') {
    return { id: 10_101, description: 'FALTAN DATOS: fraud_detection' };
  }
  const place = buyer.findIndex((name) => {
    const value = Object(told.bill_to)[name];
    return typeof value !== 'string' || value === '';
  });
  if (place < 0) return null;
  return { id: 10_102 + place, description: `FALTAN DATOS: bill_to.${buyer[place]}` };
}

/** Validates an order in the acquirer's sequence: the reference first. */
function draftOf(
  book: Book,
  body: Record<string, unknown>,
  now: number,
): { token: Token; draft: Omit<Payment, 'id'> } {
  const reference = textOf(body, 'site_transaction_id');
  if (!/^[A-Za-z0-9-]{1,39}$/.test(reference))
    throw invalid('invalid_param', 'site_transaction_id');
  if (book.byReference(reference)) throw invalid('repeated', 'site_transaction_id');
  const token = book.token(textOf(body, 'token'));
  if (!token || token.used) throw invalid('invalid_param', 'token');
  if (textOf(body, 'bin') !== token.bin) throw invalid('invalid_param', 'bin');
  const method = wholeOf(body, 'payment_method_id', 999);
  if (!token.brand.methods.includes(method)) throw invalid('invalid_param', 'payment_method_id');
  const amount = wholeOf(body, 'amount', 922_337_203_685);
  if (textOf(body, 'currency') !== 'ARS') throw invalid('invalid_param', 'currency');
  const installments = wholeOf(body, 'installments', 48);
  checkBrowser(body);
  if (!Array.isArray(body.sub_payments)) throw invalid('param_required', 'sub_payments');
  if (textOf(body, 'payment_type') !== 'single') throw invalid('invalid_param', 'payment_type');
  const establishment = body.establishment_name ?? null;
  if (establishment !== null && String(establishment).length > 25) {
    throw invalid('invalid_param', 'establishment_name');
  }
  return {
    token,
    draft: {
      site_transaction_id: reference,
      payment_method_id: method,
      card_brand: token.brand.name,
      amount,
      status: 'approved',
      error: null,
      date: falseZ(now),
      bin: token.bin,
      last_four: token.lastFour,
      installments,
      establishment_name: establishment === null ? null : String(establishment),
      aggregate_data: body.aggregate_data ?? null,
      settles_at: null,
      hidden_until: 0,
      challenge: false,
      in_closed_lot: false,
      refunds: [],
    },
  };
}

/** Returns a draft's outcome, decided by its card. */
function decided(
  draft: Omit<Payment, 'id'>,
  { behavior }: Token,
  authenticates: boolean,
  timing: Timing,
  now: number,
): Omit<Payment, 'id'> {
  if (behavior.does === 'refuse') {
    const reason = {
      id: behavior.reason,
      description: behavior.text,
      additional_description: '',
    };
    return { ...draft, status: 'rejected', error: { type: behavior.type, reason } };
  }
  if (behavior.does === 'review') {
    return { ...draft, status: 'review', settles_at: now + timing.reviewMs };
  }
  if (behavior.does === 'authenticate' && authenticates) {
    const settles = now + timing.authenticateMs;
    const { challenge } = behavior;
    return { ...draft, status: 'fingerprint pending', challenge, settles_at: settles };
  }
  const hidden = behavior.does === 'lose_the_answer' && behavior.hidden;
  return hidden ? { ...draft, hidden_until: now + timing.hiddenMs } : draft;
}

/** Returns the browser's next 3-D Secure step. */
export const instruction = (payment: Payment, origin: string): Record<string, unknown> => {
  const seen = payment.status === 'challenge pending';
  return {
    ...paymentBody(payment),
    timeout: 30,
    target: { element: 'iframe', visible: seen, width: seen ? 390 : 0, height: seen ? 400 : 0 },
    http: {
      method: 'POST',
      url: `${origin}/acs/${seen ? 'challenge' : 'fingerprint'}`,
      body: String(
        new URLSearchParams({
          threeDSMethodData: Buffer.from(String(payment.id)).toString('base64url'),
        }),
      ),
    },
  };
};

/** `POST /payments`. Books before it answers, like every acquirer. */
export async function pay(
  book: Book,
  body: Record<string, unknown>,
  {
    timing,
    fraudControl,
    origin,
    now,
  }: { timing: Timing; fraudControl: boolean; origin: string; now: () => number },
): Promise<Answer> {
  const { token, draft } = draftOf(book, body, now());
  const authenticates = body.cardholder_auth_required === true;
  const reason = fraudControl ? missingOf(body) : null;
  const payment = reason
    ? {
        ...draft,
        status: 'rejected',
        error: { type: 'cybersource_error', reason: { ...reason, additional_description: '' } },
      }
    : decided(draft, token, authenticates, timing, now());
  const booked = await book.pay(token, payment);
  if (booked === 'repeated') throw invalid('repeated', 'site_transaction_id');
  if (booked === 'spent') throw invalid('invalid_param', 'token');
  const { behavior } = token;
  if (booked.status === 'approved') {
    const { id } = Object(body.customer);
    await keepCard(book, token, id, booked.payment_method_id);
  }
  if (behavior.does === 'lose_the_answer') throw new Dropped();
  if (behavior.does === 'answer_nonsense') {
    return { status: behavior.status, headers: {}, body: behavior.body };
  }
  if (behavior.does === 'be_slow') {
    await new Promise((resolve) => setTimeout(resolve, timing.slowMs));
  }
  if (booked.status === 'rejected') return jsonAnswer(402, paymentBody(booked));
  if (booked.status.endsWith('pending')) return jsonAnswer(201, instruction(booked, origin));
  return jsonAnswer(201, paymentBody(booked));
}
