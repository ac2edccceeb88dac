import type { CardBrand } from '../kernel/card-number.ts';
import {
  type CardKindOf,
  type Channel,
  channelCodes,
  channels,
  type Instrument,
  type Payer,
  type PayerAction,
  type PayerChannel,
  type PayerForm,
} from '../money/channels/index.ts';
import { type PayOutcome, TriesPaused } from '../money/charges/index.ts';
import { allows, type PaymentRequests } from '../payment-requests/index.ts';
import { payer } from '../platform/actor.ts';
import { Refusal } from '../platform/errors.ts';
import { amountDue, stateOn } from '../requests/index.ts';
import { refusal } from './codes.ts';
import { type FormFaults, handedIn, type Posted, postedValues, readBankAccount } from './form.ts';
import {
  allowedPlans,
  type CheckoutParts,
  keyOf,
  returnPath,
  type Visit,
  withLang,
} from './page.ts';
import { type PayerFacts, readPayerFacts } from './payer-facts.ts';
import { readToken } from './token-form.ts';
import type { FormState } from './views/model.ts';

export interface PayParts extends CheckoutParts {
  requests: PaymentRequests;
  loadCardKinds(): Promise<CardKindOf>;
}

/**
 * Result of a posted form. `unpayable`: the request or channel does not allow payment now.
 * `paused`: too many refusals.
 */
export type PostOutcome =
  | { outcome: 'approved' | 'pending' | 'rejected' | 'unpayable' }
  | { outcome: 'action_required'; action: PayerAction }
  | { outcome: 'paused'; paused: TriesPaused }
  | { outcome: 'faulty'; form: FormState };

const unpayable: PostOutcome = { outcome: 'unpayable' };

const isChargedHere = (code: PayerChannel): code is 'credit_card' | 'debit_card' | 'DEBIN' =>
  code === 'credit_card' || code === 'debit_card' || code === 'DEBIN';

export const channelIn = (posted: Posted): PayerChannel => {
  const code = channelCodes.find((one) => one === posted.channel);
  if (code) return code;
  throw refusal('checkout.channel_unknown', {});
};

function isOpenTo(
  { row, today, attempt }: Visit,
  channel: PayerChannel,
  { offer }: PayParts,
): boolean {
  if (offer[channel] === null) return false;
  return allows(row, channel) && stateOn(row, today) === 'pending' && attempt === null;
}

/** Returns a pause, or a lost race between two tabs, as an outcome instead of an error. */
async function unlessTooLate(pay: () => Promise<PayOutcome>): Promise<PostOutcome> {
  try {
    return await pay();
  } catch (error) {
    if (error instanceof TriesPaused) return { outcome: 'paused', paused: error };
    if (error instanceof Refusal && error.kind === 'conflict') return unpayable;
    throw error;
  }
}

type Reading =
  | 'unpayable'
  | { instrument: Instrument; taker: Channel; facts: PayerFacts }
  | { form: FormState };

const isEmpty = (faults: FormFaults): boolean => Object.keys(faults).length === 0;

/**
 * Reads the bank account and additional facts typed on our page, or only the facts if the payer is
 * redirected.
 */
function readPlain(
  posted: Posted,
  { kind, asks }: Pick<PayerForm, 'kind' | 'asks'>,
): { instrument: Instrument | null; facts: PayerFacts; faults: FormFaults } {
  if (kind === 'redirect')
    return { instrument: { type: 'redirect' }, ...readPayerFacts(posted, asks) };
  const account = readBankAccount(posted);
  // The holder's id number is typed with the account.
  const factForm = readPayerFacts(
    posted,
    asks.filter((one) => one !== 'id_number'),
  );
  if ('faults' in account) {
    return { instrument: null, facts: {}, faults: { ...account.faults, ...factForm.faults } };
  }
  const { instrument } = account;
  const idNumber =
    asks.includes('id_number') && instrument.type === 'bank_account'
      ? { idNumber: instrument.account.holderIdNumber }
      : {};
  return { instrument, facts: { ...factForm.facts, ...idNumber }, faults: factForm.faults };
}

/** Validates a form against today's amount due. Rejects forms without a known channel. */
async function readForm(visit: Visit, posted: Posted, parts: PayParts): Promise<Reading> {
  const channel = channelIn(posted);
  const { row, today } = visit;
  if (!isChargedHere(channel) || !isOpenTo(visit, channel, parts)) return 'unpayable';
  const { connector } = posted;
  const taker = parts.connected.choose(channel, connector === undefined ? {} : { name: connector });
  if (!taker) return 'unpayable';
  const way = taker.form(channel);
  const form = { channel, connector: taker.name, values: postedValues(posted) };
  if (way.kind !== 'frame') {
    const { facts, faults, instrument } = readPlain(posted, way);
    return instrument && isEmpty(faults)
      ? { instrument, taker, facts }
      : { form: { ...form, faults } };
  }
  const amount = amountDue(row, today);
  const plans = await allowedPlans(parts.sql, row, amount);
  if (channel === 'credit_card' && plans.length === 0) return 'unpayable';
  const accepts = (brand: CardBrand): boolean =>
    parts.connected.choose(channel, { name: taker.name, brand }) !== null;
  const kindOf = await parts.loadCardKinds();
  const read = readToken(channel, posted, { amount, plans, kindOf, accepts }, way);
  const factForm = readPayerFacts(posted, way.asks);
  if (!('faults' in read) && isEmpty(factForm.faults))
    return { ...read, taker, facts: factForm.facts };
  const faults = { ...('faults' in read && read.faults), ...factForm.faults };
  // Do not request a valid card again.
  const handed = faults.card_number === undefined ? handedIn(posted) : null;
  return { form: { ...form, faults, ...(handed && { handed }) } };
}

/**
 * Returns a form's faults without charging, or null. A page with scripts validates before it sends,
 * so that no input is lost.
 */
export async function checkForm(
  visit: Visit,
  posted: Posted,
  parts: PayParts,
): Promise<FormState | null> {
  const read = await readForm(visit, posted, parts);
  return read !== 'unpayable' && 'form' in read ? read.form : null;
}

/** Charges what is due today with the posted instrument. Rejects forms without a known channel. */
export async function payHere(
  visit: Visit,
  posted: Posted,
  parts: PayParts,
  browser: Pick<Payer, 'ip' | 'userAgent'>,
): Promise<PostOutcome> {
  const read = await readForm(visit, posted, parts);
  if (read === 'unpayable') return unpayable;
  if ('form' in read) return { outcome: 'faulty', form: read.form };
  const payment = {
    channel: channelIn(posted),
    instrument: read.instrument,
    actor: payer,
    payer: { ...browser, ...read.facts },
    connector: read.taker.name,
    returnUrl: parts.links.origin + withLang(returnPath(visit.token), visit.lang),
  };
  return await unlessTooLate(() => parts.requests.pay.online(keyOf(visit), payment));
}

/** Simulates a payment elsewhere, with a wallet or at a till. Only in the sandbox. */
export async function simulate(
  visit: Visit,
  posted: Posted,
  parts: PayParts,
): Promise<PostOutcome> {
  const channel = channelIn(posted);
  if (isChargedHere(channel) || !isOpenTo(visit, channel, parts)) return unpayable;
  const key = keyOf(visit);
  const { online, offline } = parts.requests.pay;
  if (channels[channel].online) {
    const payment = { channel, instrument: { type: 'wallet' } as const, actor: payer };
    return await unlessTooLate(() => online(key, payment));
  }
  await offline(key, {
    channel,
    amount: amountDue(visit.row, visit.today),
    paidAt: parts.business.now(),
    source: 'simulator',
    // The same reference each time, so that pressing again does not record a second payment.
    sourceRef: `checkout ${visit.row.id}`,
    actor: payer,
  });
  return { outcome: 'approved' };
}
