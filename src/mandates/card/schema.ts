import { type CardBrand, type CardNumberFault, parseCardNumber } from '../../kernel/card-number.ts';
import { onFileReasons } from '../../money/channels/index.ts';
import { email, metadata, oneOf, prose, reference } from '../../platform/http/fields.ts';
import {
  type Field,
  type Filled,
  fail,
  form,
  optional,
  type Parsed,
  refuseField,
  required,
} from '../../platform/http/form.ts';
import { fault } from '../codes.ts';

/** A card's number as received: in clear, or encrypted for the service's public key. */
export type CardNumberInput =
  | { encrypted: false; number: string; brand: CardBrand }
  | { encrypted: true; ciphertext: Buffer };

const faultCodes = {
  characters: 'card_adhesion.number_characters',
  length: 'card_adhesion.number_length',
  brand: 'card_adhesion.number_brand',
  'check-digit': 'card_adhesion.number_check_digit',
} as const satisfies Record<CardNumberFault, string>;

/** Parses a number in clear text. Refusals never repeat it. */
export function readCardNumber(clear: string): Parsed<{ number: string; brand: CardBrand }> {
  const parsed = parseCardNumber(clear);
  if (!parsed.ok) return fail(fault(faultCodes[parsed.fault], {}));
  return { ok: true, value: { number: parsed.number, brand: parsed.brand } };
}

/** Length of the longest number with spaces. A ciphertext is much longer. */
const longestClear = 40;

const cardNumber: Field<CardNumberInput> = {
  schema: {
    type: 'string',
    description:
      '12 to 19 digits, ignoring spaces and dashes; or base64 of its RSA-OAEP-256 ciphertext under ' +
      'the key of GET /card-adhesion/public-key. If a connector keeps cards on file, omit it: ' +
      'the holder then enters the card when signing.',
  },
  expectation: fault('card_adhesion.number_length', {}),
  parse(value) {
    if (typeof value !== 'string') return fail(fault('card_adhesion.number_not_text', {}));
    // Tools break base64 into lines.
    const packed = value.replace(/\s/g, '');
    if (packed.length > longestClear && /^[A-Za-z0-9+/]+={0,2}$/.test(packed)) {
      return { ok: true, value: { encrypted: true, ciphertext: Buffer.from(packed, 'base64') } };
    }
    const read = readCardNumber(value);
    return read.ok ? { ok: true, value: { encrypted: false, ...read.value } } : read;
  },
};

const members = {
  adhesion_holder_name: required(prose({ max: 50 })),
  external_reference: optional(reference()),
  email: required(email()),
  card_holder_name: required(prose({ max: 255 })),
  card_number: optional(cardNumber),
  description: required(prose({ max: 255, lineBreaks: true })),
  debit_reason: optional(oneOf(onFileReasons)),
  metadata: optional(metadata()),
};

export interface CardMandateContext {
  /** True if a connector stores cards, which holders then enter when they sign. */
  keepsCards: boolean;
}

export const numberMissing = () => fault('card_adhesion.number_missing', {});

export const cardMandateForm = form<typeof members, CardMandateContext>(
  members,
  ({ card_number }, { keepsCards }) =>
    card_number === null && !keepsCards ? { card_number: numberMissing() } : {},
);
export type CardMandateInput = Filled<typeof members>;

export const refuseCardField = refuseField(members);
