import type { ChargeOrder, Instrument } from '../protocol/messages.ts';

type Brand = NonNullable<Extract<Instrument, { type: 'token' }>['brand']>;
type Kind = 'credit' | 'debit';

interface Method {
  id: number;
  brand: Brand;
  kind: Kind;
}

/** Ids under which the acquirer knows the cards; the id says whether it is debit or credit. */
const methods: readonly Method[] = [
  { id: 1, brand: 'visa', kind: 'credit' },
  { id: 104, brand: 'mastercard', kind: 'credit' },
  { id: 65, brand: 'amex', kind: 'credit' },
  { id: 111, brand: 'amex', kind: 'credit' },
  { id: 24, brand: 'naranja', kind: 'credit' },
  { id: 63, brand: 'cabal', kind: 'credit' },
  { id: 8, brand: 'diners', kind: 'credit' },
  { id: 31, brand: 'visa', kind: 'debit' },
  { id: 105, brand: 'mastercard', kind: 'debit' },
  { id: 106, brand: 'maestro', kind: 'debit' },
  { id: 108, brand: 'cabal', kind: 'debit' },
];

const kindOf = (channel: ChargeOrder['channel']): Kind =>
  channel === 'debit_card' ? 'debit' : 'credit';

/** Ids of American Express: of its own acquirer, and through Prisma. */
export type AmexId = 65 | 111;

/** `amex`: under which of its ids the site takes American Express. */
export const methodFor = (
  channel: ChargeOrder['channel'],
  brand: Brand,
  amex: AmexId,
): Method | null =>
  methods.find(
    (one) =>
      one.brand === brand && one.kind === kindOf(channel) && (brand !== 'amex' || one.id === amex),
  ) ?? null;

export const methodOf = (id: number): Method | null => methods.find((one) => one.id === id) ?? null;

export const brandsOf = (channel: ChargeOrder['channel']): Brand[] => [
  ...new Set(methods.filter(({ kind }) => kind === kindOf(channel)).map(({ brand }) => brand)),
];
