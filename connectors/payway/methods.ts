import type { ChargeOrder, Instrument } from '../protocol/messages.ts';

type Brand = NonNullable<Extract<Instrument, { type: 'token' }>['brand']>;
type Kind = 'credit' | 'debit';

interface Method {
  id: number;
  brand: Brand;
  kind: Kind;
}

/** The acquirer's card ids; each implies debit or credit. */
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

interface Regional {
  id: number;
  /** Six-digit prefixes. */
  bins: readonly string[];
}

/**
 * Regional and shop credit cards. The service has no such brands, so prefixes decide. The ids of
 * Nativa, Patagonia and Tuya are from the SDKs' table, the prefixes from public plug-ins.
 */
const regional = {
  nativa: { id: 42, bins: ['487017', '520053', '546553'] },
  cencosud: { id: 43, bins: ['603493'] },
  patagonia: { id: 55, bins: ['504656'] },
  tuya: { id: 59, bins: ['588800'] },
  favacard: { id: 103, bins: ['504408'] },
} as const satisfies Record<string, Regional>;

export type RegionalName = keyof typeof regional;

export const isRegional = (word: string): word is RegionalName => Object.hasOwn(regional, word);

export const regionalNames = Object.keys(regional);

/** Returns the prefixes of the regional cards that a site accepts. */
export const regionalBins = (names: readonly RegionalName[]): string[] =>
  names.flatMap((name) => [...regional[name].bins]);

/** Returns the regional or shop card's method if the site accepts it, else null. */
export function regionalOf(
  channel: ChargeOrder['channel'],
  bin: string,
  names: readonly RegionalName[],
): { id: number } | null {
  if (channel !== 'credit_card') return null;
  const found = names.find((name) => regional[name].bins.some((one) => bin.startsWith(one)));
  return found === undefined ? null : regional[found];
}

const kindOf = (channel: ChargeOrder['channel']): Kind =>
  channel === 'debit_card' ? 'debit' : 'credit';

/** Ids of American Express: direct, and through Prisma. */
export type AmexId = 65 | 111;

/**
 * Returns the acquirer's method for a channel and brand, or null if there is none. `amex` is the
 * site's id for American Express.
 */
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
