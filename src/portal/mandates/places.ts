import { firstPlace, type MandateKind, type MandatePlace } from '../../mandates/index.ts';

export const segmentOf = {
  adhesion: 'bank',
  card_adhesion: 'card',
} as const satisfies Record<MandateKind, string>;

export const kinds = Object.keys(segmentOf) as MandateKind[];

export const kindAt = (segment = ''): MandateKind | null =>
  kinds.find((kind) => segmentOf[kind] === segment) ?? null;

export const mandatePath = ({ kind, id }: { kind: MandateKind; id: number }): string =>
  `/mandates/${segmentOf[kind]}/${id}`;

const placeShape = /^(\d{1,16})\.(\d{1,16})$/;

/** Parses the page's cursor. Returns the first page if it is missing or malformed. */
export function placeIn(query: URLSearchParams): MandatePlace {
  const [, bank, card] = placeShape.exec(query.get('behind') ?? '') ?? [];
  const [adhesion, card_adhesion] = [Number(bank), Number(card)];
  return Number.isSafeInteger(adhesion) && Number.isSafeInteger(card_adhesion)
    ? { adhesion, card_adhesion }
    : firstPlace;
}

export const placeText = ({ adhesion, card_adhesion }: MandatePlace): string =>
  `${adhesion}.${card_adhesion}`;
