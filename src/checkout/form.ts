import { type CardBrand, isCardBrand } from '../kernel/card-number.ts';
import { isCbu, isCvu } from '../kernel/cbu.ts';
import { isCuit } from '../kernel/cuit.ts';
import { isEmail } from '../kernel/email.ts';
import type { Centavos } from '../kernel/money.ts';
import { isLine, isSound } from '../kernel/text.ts';
import type { CardKindOf, Instrument, PayerChannel } from '../money/channels/index.ts';
import type { BrandPlans, Plan } from '../money/plans/index.ts';
import type { FieldFault, FieldName, FormState, HandedCard } from './views/model.ts';

export type Posted = Readonly<Partial<Record<string, string>>>;

export type FormFaults = Partial<Record<FieldName, FieldFault>>;

export type ReadInstrument = { instrument: Instrument } | { faults: FormFaults };

export interface CardTerms {
  /** The amount due today. */
  amount: Centavos;
  /** Brands and plans that the payer may choose from. Debit cards ignore them. */
  plans: BrandPlans[];
  kindOf: CardKindOf;
  /** Returns true if the acquirer accepts the brand. */
  accepts(brand: CardBrand): boolean;
}

/** Reads the fields of a posted form. A field sent twice counts as missing. */
export const postedIn = (body: unknown): Posted =>
  Object.fromEntries(
    Object.entries(body ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  );

const worthKeeping: FieldName[] = [
  'holder_email',
  'installments',
  'account',
  'holder_cuit',
  'payer_id_number',
  'payer_phone',
  'payer_street',
  'payer_city',
  'payer_postal_code',
  'payer_province',
];

/** Returns the typed values that a form shows again. */
export const postedValues = (posted: Posted): FormState['values'] =>
  Object.fromEntries(
    worthKeeping.flatMap((name) => (posted[name] === undefined ? [] : [[name, posted[name]]])),
  );

const tokenShape = /^[!-~]{1,512}$/;

/** Reads a frame's hints about the card besides its token. Omits invalid ones. */
function hintsIn(posted: Posted) {
  const { brand = '', bin = '', last_four: digits = '' } = posted;
  const name = typed(posted, 'card_holder_name');
  return {
    brand: isCardBrand(brand) ? brand : null,
    bin: /^[0-9]{6,8}$/.test(bin) ? bin : null,
    lastFour: /^[0-9]{4}$/.test(digits) ? digits : null,
    holderName: isName(name) ? name : null,
  };
}

/** Returns the card of a frame, or null without a valid token. */
export function handedIn(posted: Posted): HandedCard | null {
  const { token = '' } = posted;
  return tokenShape.test(token) ? { token, ...hintsIn(posted) } : null;
}

/** Returns a form with its input and no faults. */
export const leftForm = (channel: PayerChannel, posted: Posted): FormState => {
  const { connector } = posted;
  const handed = handedIn(posted);
  return {
    channel,
    ...(connector !== undefined && { connector }),
    faults: {},
    values: postedValues(posted),
    ...(handed && { handed }),
  };
};

const longestName = 255;
const aliasShape = /^[A-Za-z0-9.-]{6,20}$/;

/** Returns typed text on one line. Pasted tabs and line breaks become spaces. */
export const typed = (posted: Posted, name: string): string =>
  (posted[name] ?? '').replace(/\s+/g, ' ').trim();

const isName = (value: string): boolean => isLine(value, longestName);

/** Returns the fault of an email address, which is optional. */
export function emailFault(value: string): FieldFault | undefined {
  if (value === '') return undefined;
  return isSound(value) && isEmail(value) ? undefined : 'email';
}

/**
 * Returns the fault of a plan, or undefined. A plan of another brand is allowed while the card has
 * a fault, because the payer may enter another card.
 */
export function planFault(
  chosen: string,
  plan: Pick<Plan, 'installments'> | undefined,
  numberFault: FieldFault | undefined,
): FieldFault | undefined {
  if (plan) return undefined;
  if (chosen === '') return 'required';
  return numberFault ? undefined : 'installments';
}

export const onePayment = (amount: Centavos) => ({ installments: 1, each: amount, total: amount });

/** Reads the payer's bank account to be debited. */
export function readBankAccount(posted: Posted): ReadInstrument {
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
