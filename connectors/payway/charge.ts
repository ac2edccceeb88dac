import { type Call, NeverSent, Unfit } from '../protocol/connector.ts';
import type { ChargeOrder, Outcome } from '../protocol/messages.ts';
import type { Answered } from './api.ts';
import { type Browser, browserOf } from './browsers.ts';
import { tokenOfKept } from './cards.ts';
import { aggregateOf, type Desk, establishmentOf, planCodesOf, referenceOf } from './desk.ts';
import { fraudDetectionOf } from './fraud.ts';
import { search } from './inquire.ts';
import { methodFor, regionalOf } from './methods.ts';
import { outcomeOf, readPayment } from './payment.ts';
import { actionOf } from './three-ds.ts';
import { faultsOf, faultText } from './validation.ts';

/** Returns the browser's data for 3-D Secure, in the types of the official SDKs. */
const authentication = ({ payer }: ChargeOrder, { color_depth: depth, ...browser }: Browser) => ({
  cardholder_auth_required: true,
  auth_3ds_data: {
    device_type: 'BROWSER',
    user_agent: payer.user_agent ?? '',
    ip: payer.ip ?? '',
    ...browser,
    color_depth: String(depth),
  },
});

/**
 * Returns a plan's number at Payway. Promotional plans of issuers and of the state have a code in
 * place of the number of installments. Throws `Unfit` if the plan has no number.
 */
function installmentsOf({ installments, account }: ChargeOrder): number {
  const plan = installments?.send_as ?? '1';
  const sent = Number(planCodesOf(account.settings).get(plan) ?? plan);
  if (!Number.isInteger(sent) || sent < 1) {
    throw new Unfit('send_as must be the number of the plan at Payway.');
  }
  return sent;
}

/** Returns the body of a payment. Throws `Unfit` if it cannot be built. */
export function paymentOrder(
  order: ChargeOrder,
  { config }: Pick<Desk, 'config'>,
  tokenOfKept: string | null = null,
  browser: Browser | null = null,
): object {
  const { instrument, channel, amount, account, payer, request } = order;
  if (instrument.type !== 'token' && instrument.type !== 'kept_card') {
    throw new Unfit('Payway only charges tokens of its frame and cards on file.');
  }
  const { brand, bin } = instrument;
  const token = instrument.type === 'token' ? instrument.token : tokenOfKept;
  if (!bin) throw new Unfit('The instrument must have a bin.');
  // Cards on file use the brand they were stored under, which is never a regional one.
  const method =
    (instrument.type === 'token' ? regionalOf(channel, bin, config.regional) : null) ??
    (brand ? methodFor(channel, brand, config.amex) : null);
  if (!method)
    throw new Unfit(`Payway does not accept ${brand ?? 'this card brand'} as ${channel}.`);
  const aggregate = aggregateOf(account.settings);
  const establishment = establishmentOf(account.settings, config);
  return {
    site_transaction_id: referenceOf(config, order.attempt),
    token,
    customer: {
      id: request.id,
      ...(payer.email && { email: payer.email }),
      ...(payer.ip && { ip_address: payer.ip }),
    },
    payment_method_id: method.id,
    bin: bin.slice(0, 6),
    amount,
    currency: 'ARS',
    installments: installmentsOf(order),
    ...(request.description && { description: request.description }),
    ...(establishment && { establishment_name: establishment }),
    payment_type: 'single',
    sub_payments: [],
    ...(aggregate && { aggregate_data: aggregate }),
    ...(config.controlsFraud && {
      fraud_detection: fraudDetectionOf(order, { customer: request.id, amount }),
    }),
    // A debit of a card on file has no payer to authenticate.
    ...(browser && authentication(order, browser)),
  };
}

const unknownBrowser: Outcome = {
  outcome: 'rejected',
  code: 'no_browser',
  text: 'The frame sent no browser data.',
  retry: 'same_now',
};

/** Faults of a card or token that another card, or retyping, may fix. */
const ofTheCard = ['token', 'bin', 'payment_method_id', 'installments'];

function refused(faults: NonNullable<ReturnType<typeof faultsOf>>): Outcome {
  const text = faultText(faults);
  const params = faults.map(({ param }) => param);
  const common = { outcome: 'rejected' as const, code: 'invalid_request', text };
  if (params.every((param) => param === 'token')) return { ...common, retry: 'same_now' };
  if (params.every((param) => ofTheCard.includes(param))) {
    return { ...common, retry: 'other_instrument' };
  }
  return { ...common, retry: 'never', alarm: `Payway refuses the form of an order: ${text}.` };
}

const noAccess = (status: number): NeverSent => {
  const alarm = `Payway answered ${status}: are its address and the private key right?`;
  return new NeverSent(alarm, { alarm });
};

/**
 * Sends a payment. The content of the answer decides, not its status: a refusal is a whole payment
 * with status 402. Unreadable answers and 5xx leave the outcome unknown.
 */
export async function charge(desk: Desk, order: ChargeOrder, call: Call): Promise<Outcome> {
  const { instrument } = order;
  const isAuthenticated = desk.config.authenticates && instrument.type === 'token';
  const browser = isAuthenticated ? browserOf(desk.notes, instrument.token) : null;
  // On a retry the frame opens again, and then sends the browser data.
  if (isAuthenticated && !browser) return unknownBrowser;
  const body = paymentOrder(order, desk, await tokenOfKept(desk, order, call.signal), browser);
  const answered = await desk.api.post('/payments', body, call.signal);
  return await read(desk, order, answered, call);
}

async function read(
  desk: Desk,
  order: ChargeOrder,
  { status, body }: Answered,
  call: Call,
): Promise<Outcome> {
  const reference = referenceOf(desk.config, order.attempt);
  const payment = readPayment(body);
  if ('value' in payment) {
    if (payment.value.site_transaction_id !== reference) {
      throw new Error('Payway returned another payment than the one ordered.');
    }
    const action = await actionOf(desk, order.attempt, body, order.business_time, call.remember);
    return action ?? outcomeOf(payment.value);
  }
  if ([401, 403, 404].includes(status)) throw noAccess(status);
  const faults = status === 400 || status === 422 ? faultsOf(body) : null;
  if (!faults) throw new Error(`Payway returned status ${status} with an unreadable body.`);
  if (!faults.some(({ code }) => code === 'repeated')) return refused(faults);
  // Our first copy arrived, so the acquirer's record decides.
  const found = await search(desk, reference, call.signal);
  if (!found)
    throw new Error('Payway already has the reference, but does not list the payment yet.');
  return outcomeOf(found);
}
