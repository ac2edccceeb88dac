import { Compile } from 'typebox/compile';
import { settlementKinds, threeDsSchema } from '../../connectors/protocol/messages.ts';
import { cardBrandNames, connectorChannels, payerFacts } from '../../connectors/protocol/names.ts';

// Unknown values of later protocol versions must not invalidate known ones: an unknown brand hides
// no approval, and an unknown channel invalidates no other.

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const holds = (words: readonly string[], value: unknown): boolean =>
  words.some((word) => word === value);

/** Values of an outcome that may be unknown, because nothing depends on them. */
const openWords: Readonly<Record<string, readonly string[]>> = {
  brand: cardBrandNames,
  kind: ['credit', 'debit'],
};

const threeDs = Compile(threeDsSchema);

/**
 * Drops `brand` and `kind` of an approval or authorization if they are unknown, and `three_ds` if
 * it is malformed, because the acquirer took the money in any case.
 */
export function withoutUnknownWords(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (value.outcome !== 'approved' && value.outcome !== 'authorized') return value;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, word]) =>
        (name !== 'three_ds' || threeDs.Check(word)) &&
        (typeof word !== 'string' || holds(openWords[name] ?? [word], word)),
    ),
  );
}

/** Replaces unknown kinds of payout lines with `other`, because their money counts in any case. */
export function withoutUnknownKinds(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.settlements)) return value;
  return {
    ...value,
    settlements: value.settlements.map((line) =>
      isObject(line) && typeof line.kind === 'string' && !holds(settlementKinds, line.kind)
        ? { ...line, kind: 'other' }
        : line,
    ),
  };
}

/** Omits unknown brands and questions to payers. */
function knownOf(channel: Record<string, unknown>): Record<string, unknown> {
  const { brands, asks } = channel;
  return {
    ...channel,
    ...(Array.isArray(brands) && { brands: brands.filter((one) => holds(cardBrandNames, one)) }),
    ...(Array.isArray(asks) && { asks: asks.filter((one) => holds(payerFacts, one)) }),
  };
}

/**
 * Omits unknown channels, brands, questions and notices of a manifest, and its `test` section,
 * which only the kit reads.
 */
export function withoutUnknownOffers(value: unknown, notices: readonly string[]): unknown {
  if (!isObject(value)) return value;
  const { test: _, ...rest } = value;
  return {
    ...rest,
    ...(Array.isArray(value.channels) && {
      channels: value.channels
        .filter((one) => !isObject(one) || holds(connectorChannels, one.channel))
        .map((one) => (isObject(one) ? knownOf(one) : one)),
    }),
    ...(Array.isArray(value.notices) && {
      notices: value.notices.filter((one) => typeof one !== 'string' || holds(notices, one)),
    }),
  };
}
