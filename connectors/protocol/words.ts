/** Names that both sides know, apart from the shapes of messages: who needs only these loads none. */

/** What a connector can take money by. */
export const connectorChannels = [
  'credit_card',
  'debit_card',
  'DEBIN',
  'wire_transfer',
  'qr',
] as const;

export type ConnectorChannel = (typeof connectorChannels)[number];

export const cardBrandNames = [
  'visa',
  'mastercard',
  'amex',
  'cabal',
  'naranja',
  'maestro',
  'diners',
] as const;
