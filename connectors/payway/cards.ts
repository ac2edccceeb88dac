import { Type } from 'typebox';
import { type Call, type Connector, NeverSent, Unfit } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { CardOutcome, ChargeOrder, KeepOrder } from '../protocol/messages.ts';
import { annul, repeatAnnulments, verification } from './annulments.ts';
import { type Desk, referenceOf, verificationOf } from './desk.ts';
import { fraudDetectionOf } from './fraud.ts';
import { find } from './inquire.ts';
import { methodFor, methodOf, regionalOf } from './methods.ts';
import { outcomeOf, type Payment, readPayment } from './payment.ts';
import { faultsOf, faultText } from './validation.ts';

// Payway stores a card only when it pays, under the user named in the payment. So a card is stored
// by a payment of one peso, annulled at once; each card has a separate user.

const tokensSchema = Type.Object({
  tokens: Type.Array(
    Type.Object({
      token: Type.String({ minLength: 1, maxLength: 128 }),
      payment_method_id: Type.Integer(),
      bin: Type.String({ pattern: '^[0-9]{6,8}$' }),
      last_four_digits: Type.String({ pattern: '^[0-9]{4}$' }),
      expiration_month: Type.Optional(Type.Unknown()),
      expiration_year: Type.Optional(Type.Unknown()),
    }),
  ),
});
const readTokens = reader(tokensSchema);
const readToken = reader(Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }));

const noAccess = (status: number): NeverSent => {
  const alarm = `Payway answered ${status}: are its address and the private key right?`;
  return new NeverSent(alarm, { alarm });
};

/** Returns month and year (two digits each) as 2030-08, or null if they are invalid. */
function expiryOf(month: unknown, year: unknown): string | null {
  const text = `20${year}-${String(month).padStart(2, '0')}`;
  return /^20[0-9]{2}-(0[1-9]|1[0-2])$/.test(text) ? text : null;
}

/** Returns the outcome of storing a card by a payment of one peso. Annuls an approved payment. */
async function keptBy(
  desk: Desk,
  payment: Payment,
  card: string,
  { signal }: Call,
): Promise<CardOutcome> {
  const paid = outcomeOf(payment);
  if (paid.outcome === 'rejected' || paid.outcome === 'pending') return paid;
  await annul(desk, payment, signal);
  const user = encodeURIComponent(verificationOf(desk.config, card));
  const { status, body } = await desk.api.get(`/usersite/${user}/cardtokens`, signal);
  const read = readTokens(body);
  if (status !== 200 || 'fault' in read) {
    throw new Error(
      `Payway answered a list of cards with status ${status} and an unreadable body.`,
    );
  }
  const [kept] = read.value.tokens;
  if (!kept) {
    const alarm = 'Payway kept no card: is the site enabled for cards on file?';
    return { outcome: 'rejected', code: 'not_kept', text: alarm, retry: 'never', alarm };
  }
  const method = methodOf(kept.payment_method_id);
  if (!method)
    throw new Error(
      `Payway stored a card with an unknown payment method, ${kept.payment_method_id}.`,
    );
  const expires = expiryOf(kept.expiration_month, kept.expiration_year);
  return {
    outcome: 'kept',
    ...(expires !== null && { expires }),
    reference: kept.token,
    brand: method.brand,
    kind: method.kind,
    bin: kept.bin,
    last_four: kept.last_four_digits,
  };
}

function orderOf(order: KeepOrder, { config }: Desk): object {
  const { card, channel, token, brand, bin, payer } = order;
  if (bin && regionalOf(channel, bin, config.regional)) {
    throw new Unfit('Regional and store cards cannot be stored on file.');
  }
  if (!brand || !bin) throw new Unfit('The token of the frame must have brand and bin.');
  const method = methodFor(channel, brand, config.amex);
  if (!method) throw new Unfit(`Payway does not accept ${brand} as ${channel}.`);
  const user = verificationOf(config, card);
  return {
    site_transaction_id: user,
    token,
    customer: { id: user, ...(payer.email && { email: payer.email }) },
    payment_method_id: method.id,
    bin: bin.slice(0, 6),
    amount: verification,
    currency: 'ARS',
    installments: 1,
    payment_type: 'single',
    sub_payments: [],
    ...(config.controlsFraud && {
      fraud_detection: fraudDetectionOf(order, { customer: user, amount: verification }),
    }),
  };
}

async function keep(desk: Desk, order: KeepOrder, call: Call): Promise<CardOutcome> {
  const { status, body } = await desk.api.post('/payments', orderOf(order, desk), call.signal);
  const payment = readPayment(body);
  if ('value' in payment) return await keptBy(desk, payment.value, order.card, call);
  if ([401, 403, 404].includes(status)) throw noAccess(status);
  const faults = status === 400 || status === 422 ? faultsOf(body) : null;
  if (!faults) throw new Error(`Payway returned status ${status} with an unreadable body.`);
  const text = faultText(faults);
  return { outcome: 'rejected', code: 'invalid_request', text, retry: 'other_instrument' };
}

/** Creates a token for one charge of a card on file. Returns null for other instruments. */
export async function tokenOfKept(
  { api }: Desk,
  { instrument }: ChargeOrder,
  signal: AbortSignal,
): Promise<string | null> {
  if (instrument.type !== 'kept_card') return null;
  const { status, body } = await api.post(
    '/tokens',
    { token: instrument.reference },
    signal,
    'public',
  );
  const made = readToken(body);
  if (status === 201 && 'value' in made) return made.value.id;
  if (status === 401 || status === 403) throw noAccess(status);
  if (status >= 500) throw new NeverSent(`Payway answered ${status} before anything was charged.`);
  throw new Unfit('Payway no longer has this card on file.');
}

/** Cards on file at Payway. */
export const cardsAt = (desk: Desk): Pick<Required<Connector>, 'cards' | 'background'> => ({
  cards: {
    keep: (order, call) => keep(desk, order, call),
    find: async ({ card }, call) => {
      const attempt = verificationOf(desk.config, card).slice(referenceOf(desk.config, '').length);
      const payment = await find(desk, attempt, null, call.signal);
      return payment && (await keptBy(desk, payment, card, call));
    },
    forget: async ({ reference }, { signal }) => {
      const path = `/cardtokens/${encodeURIComponent(reference)}`;
      const { status } = await desk.api.remove(path, signal);
      if (status >= 300 && status !== 404) {
        throw new Error(`Payway answered the deletion of a card with status ${status}.`);
      }
    },
  },
  background: repeatAnnulments(desk),
});
