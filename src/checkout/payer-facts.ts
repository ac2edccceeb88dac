import { isCuit } from '../kernel/cuit.ts';
import { isProvince } from '../kernel/provinces.ts';
import { isLine } from '../kernel/text.ts';
import type { Payer, PayerFact } from '../money/channels/index.ts';
import { type FormFaults, type Posted, typed } from './form.ts';
import type { FieldFault } from './views/model.ts';

// Facts about payers that an acquirer requires. They are sent with the charge and never stored.

export type PayerFacts = Pick<Payer, 'idNumber' | 'phone' | 'address'>;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Returns an Argentine phone number as +54 and ten digits, or null. Accepts it with or without
 * country code, also as dialed from abroad (00). Drops the 9 of mobiles and the 0 of long distance.
 */
const phoneIn = (text: string): string | null => {
  const national = digitsOf(text)
    .replace(/^(00)?549?(?=\d{10}$)/, '')
    .replace(/^0(?=\d{10}$)/, '');
  return /^[1-9]\d{9}$/.test(national) ? `+54${national}` : null;
};

const idNumberIn = (text: string): string | null => {
  const digits = text.replace(/[\s.-]/g, '');
  return /^\d{7,8}$/.test(digits) || isCuit(digits) ? digits : null;
};

const postalCodeIn = (text: string): string | null => {
  const code = text.replace(/\s/g, '').toUpperCase();
  return /^(\d{4}|[A-Z]\d{4}[A-Z]{3})$/.test(code) ? code : null;
};

const faultOf = (text: string, value: unknown, fault: FieldFault): FieldFault | undefined => {
  if (text === '') return 'required';
  return value === null ? fault : undefined;
};

const longestLine = 100;
const lineIn = (text: string): string | null => (isLine(text, longestLine) ? text : null);

interface Reading {
  facts: PayerFacts;
  faults: Record<string, FieldFault | undefined>;
}

function addressIn(posted: Posted): Reading {
  const [street, city, code, province] = [
    typed(posted, 'payer_street'),
    typed(posted, 'payer_city'),
    typed(posted, 'payer_postal_code'),
    typed(posted, 'payer_province'),
  ];
  const postalCode = postalCodeIn(code);
  const isWhole = lineIn(street) && lineIn(city) && postalCode !== null && isProvince(province);
  return {
    facts: isWhole ? { address: { street, city, postalCode, province } } : {},
    faults: {
      payer_street: faultOf(street, lineIn(street), 'line'),
      payer_city: faultOf(city, lineIn(city), 'line'),
      payer_postal_code: faultOf(code, postalCode, 'postal_code'),
      payer_province: isProvince(province) ? undefined : 'required',
    },
  };
}

const readers: Record<PayerFact, (posted: Posted) => Reading> = {
  id_number: (posted) => {
    const text = typed(posted, 'payer_id_number');
    const idNumber = idNumberIn(text);
    return {
      facts: idNumber === null ? {} : { idNumber },
      faults: { payer_id_number: faultOf(text, idNumber, 'id_number') },
    };
  },
  phone: (posted) => {
    const text = typed(posted, 'payer_phone');
    const phone = phoneIn(text);
    return {
      facts: phone === null ? {} : { phone },
      faults: { payer_phone: faultOf(text, phone, 'phone') },
    };
  },
  address: addressIn,
};

/** Reads the facts that the acquirer requires, and nothing else from the form. */
export function readPayerFacts(
  posted: Posted,
  asks: readonly PayerFact[],
): { facts: PayerFacts; faults: FormFaults } {
  const read = asks.map((fact) => readers[fact](posted));
  const faults = Object.assign({}, ...read.map((one) => one.faults));
  return {
    facts: Object.assign({}, ...read.map((one) => one.facts)),
    faults: Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault)) as FormFaults,
  };
}
