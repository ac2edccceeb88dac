import { type CardBrand, type ParsedCardNumber, parseCardNumber } from '../kernel/card-number.ts';
import { isCbu, isCvu } from '../kernel/cbu.ts';
import { isCuit } from '../kernel/cuit.ts';
import { isEmail } from '../kernel/email.ts';
import type { Centavos } from '../kernel/money.ts';
import { directionControl, hasControl, isBlank, isWellFormed, lengthOf } from '../kernel/text.ts';
import type {
  CardInstrument,
  CardKindOf,
  ChannelCode,
  Instrument,
  PayerChannel,
} from '../money/channels/index.ts';
import type { BrandPlans, Plan } from '../money/plans/index.ts';
import type { FieldFault, FieldName, FormState } from './views/model.ts';

export type Posted = Readonly<Partial<Record<string, string>>>;

export type FormFaults = Partial<Record<FieldName, FieldFault>>;

export type ReadInstrument = { instrument: Instrument } | { faults: FormFaults };

/** What a card's form is read against. */
export interface CardTerms {
  /** What is due today. */
  amount: Centavos;
  /** Brands and plans that the request leaves to the payer; empty for debit cards' plans. */
  plans: BrandPlans[];
  today: Temporal.PlainDate;
  kindOf: CardKindOf;
  /** Whether who takes the card takes its brand. */
  accepts(brand: CardBrand): boolean;
}

/** The texts of a posted form. A name that came twice counts as not sent. */
export const postedIn = (body: unknown): Posted =>
  Object.fromEntries(
    Object.entries(body ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );

/** Never the card's number or code. */
const worthKeeping: FieldName[] = [
  'card_holder_name',
  'expiry',
  'holder_email',
  'installments',
  'account',
  'holder_cuit',
];

/** The values worth showing again beside their faults. */
export const keptValues = (posted: Posted): FormState['values'] =>
  Object.fromEntries(
    worthKeeping.flatMap((name) => (posted[name] === undefined ? [] : [[name, posted[name]]])),
  );

/** A form as it was left, with nothing said against it. */
export const leftForm = (channel: PayerChannel, posted: Posted): FormState => ({
  channel,
  faults: {},
  values: keptValues(posted),
});

const longestName = 255;
const aliasShape = /^[A-Za-z0-9.-]{6,20}$/;

/** What was typed, on one line: tabs and line breaks that were pasted along become spaces. */
export const typed = (posted: Posted, name: FieldName): string =>
  (posted[name] ?? '').replace(/\s+/g, ' ').trim();

const isSound = (text: string): boolean =>
  isWellFormed(text) && !hasControl(text, { lineBreaks: false }) && directionControl(text) === null;

export function nameFault(value: string): FieldFault | undefined {
  if (isBlank(value)) return 'required';
  if (!isSound(value)) return 'characters';
  return lengthOf(value) <= longestName ? undefined : 'too_long';
}

/** The address is optional. */
export function emailFault(value: string): FieldFault | undefined {
  if (value === '') return undefined;
  return isSound(value) && isEmail(value) ? undefined : 'email';
}

/**
 * Month and year as people and keypads without a slash write them: 0830, 08/30, 8/30, 08/2030,
 * 082030, with spaces or a dash; the card is good until the end of that month.
 */
function expiryIn(text: string): { month: number; year: number } | null {
  const digits = text.replace(/\s/g, '');
  const [, month, year] =
    /^(0[1-9]|1[0-2])((?:20)?[0-9]{2})$/.exec(digits) ??
    /^(0?[1-9]|1[0-2])[/.-]((?:20)?[0-9]{2})$/.exec(digits) ??
    [];
  if (!month || !year) return null;
  return { month: Number(month), year: (Number(year) % 100) + 2000 };
}

function expiryFault(text: string, today: Temporal.PlainDate): FieldFault | undefined {
  if (text === '') return 'required';
  const expiry = expiryIn(text);
  if (!expiry) return 'expiry';
  const ended =
    expiry.year < today.year || (expiry.year === today.year && expiry.month < today.month);
  return ended ? 'expired_card' : undefined;
}

function cvvFault(text: string, card: ParsedCardNumber): FieldFault | undefined {
  if (text === '') return 'required';
  if (!/^[0-9]{3,4}$/.test(text)) return 'cvv';
  // While the number is at fault, its brand is not known.
  const fits = !card.ok || text.length === (card.brand === 'amex' ? 4 : 3);
  return fits ? undefined : 'cvv';
}

function cardFault(
  text: string,
  card: ParsedCardNumber,
  channel: ChannelCode,
  { plans, kindOf, accepts }: CardTerms,
): FieldFault | undefined {
  if (text === '') return 'required';
  if (!card.ok) return 'card_number';
  const kind = kindOf(card);
  if (kind === 'credit' && channel === 'debit_card') return 'card_is_credit';
  if (kind === 'debit' && channel === 'credit_card') return 'card_is_debit';
  const isOffered = channel === 'debit_card' || plans.some((one) => one.brand === card.brand);
  const accepted = isOffered && accepts(card.brand);
  return accepted ? undefined : 'card_not_accepted';
}

/** The plan chosen, as `brandCode:count`; it must be one of the card's own brand. */
function planIn(text: string, card: ParsedCardNumber, { plans }: CardTerms) {
  const brand = card.ok ? plans.find((one) => one.brand === card.brand) : undefined;
  const [code, count] = text.split(':');
  if (!brand || code !== brand.code) return undefined;
  return brand.plans.find((plan) => String(plan.installments) === count);
}

/** A plan of another brand is no fault while the number is one: its brand may change. */
export function planFault(
  chosen: string,
  plan: Plan | undefined,
  numberFault: FieldFault | undefined,
): FieldFault | undefined {
  if (plan) return undefined;
  if (chosen === '') return 'required';
  return numberFault ? undefined : 'installments';
}

export const onePayment = (amount: Centavos) => ({ installments: 1, each: amount, total: amount });

function readCard(channel: ChannelCode, posted: Posted, terms: CardTerms): ReadInstrument {
  const number = typed(posted, 'card_number');
  const card = parseCardNumber(number);
  const email = typed(posted, 'holder_email');
  const chosen = typed(posted, 'installments');
  const numberFault = cardFault(number, card, channel, terms);
  const plan = channel === 'debit_card' ? onePayment(terms.amount) : planIn(chosen, card, terms);
  const found: Record<string, FieldFault | undefined> = {
    card_number: numberFault,
    card_holder_name: nameFault(typed(posted, 'card_holder_name')),
    expiry: expiryFault(typed(posted, 'expiry'), terms.today),
    cvv: cvvFault(typed(posted, 'cvv'), card),
    holder_email: emailFault(email),
    installments: planFault(chosen, plan, numberFault),
  };
  const faults = Object.fromEntries(Object.entries(found).filter(([, fault]) => fault));
  const expiry = expiryIn(typed(posted, 'expiry'));
  if (Object.keys(faults).length > 0 || !card.ok || !plan || !expiry) return { faults };
  const instrument: CardInstrument = {
    number: card.number,
    brand: card.brand,
    holderName: typed(posted, 'card_holder_name'),
    holderEmail: email === '' ? null : email,
    expiry,
    securityCode: typed(posted, 'cvv'),
    installments: plan.installments,
    installmentAmount: plan.each,
    financedTotal: plan.total,
  };
  return { instrument: { type: 'card', card: instrument } };
}

function readBankAccount(posted: Posted): ReadInstrument {
  const account = typed(posted, 'account').replace(/[\s]/g, '');
  const cuit = typed(posted, 'holder_cuit').replace(/[\s.-]/g, '');
  const known =
    isCbu(account) || isCvu(account) || (aliasShape.test(account) && !/^\d+$/.test(account));
  const found: FormFaults = {
    ...(account === '' ? { account: 'required' } : known ? {} : { account: 'account' }),
    ...(cuit === '' ? { holder_cuit: 'required' } : isCuit(cuit) ? {} : { holder_cuit: 'cuit' }),
  };
  if (Object.keys(found).length > 0) return { faults: found };
  return { instrument: { type: 'bank_account', account: { account, holderIdNumber: cuit } } };
}

/** Reads what the payer typed for a channel that charges here and now; faults name each field. */
export function readInstrument(
  channel: 'credit_card' | 'debit_card' | 'DEBIN',
  posted: Posted,
  terms: CardTerms,
): ReadInstrument {
  return channel === 'DEBIN' ? readBankAccount(posted) : readCard(channel, posted, terms);
}
