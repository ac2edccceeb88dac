// Names shared by both sides, in their own file so that importing them does not load the message
// schemas.

/** Channels that a connector can offer. */
export const connectorChannels = [
  'credit_card',
  'debit_card',
  'DEBIN',
  'wire_transfer',
  'qr',
] as const;

export type ConnectorChannel = (typeof connectorChannels)[number];

/** Facts that a manifest may require of payers. */
export const payerFacts = ['id_number', 'phone', 'address'] as const;

export type PayerFact = (typeof payerFacts)[number];

export const cardBrandNames = [
  'visa',
  'mastercard',
  'amex',
  'cabal',
  'naranja',
  'maestro',
  'diners',
] as const;
