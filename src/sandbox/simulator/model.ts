import type { CardBrand } from '../../kernel/card-number.ts';
import type { Lang } from '../../platform/pages/model.ts';

export const simulatorPrefix = '/simulator';
export const framePath = `${simulatorPrefix}/frame`;
export const tokensPath = `${simulatorPrefix}/tokens`;

/** What is typed of a card. */
export const cardFields = ['number', 'holder', 'expiry', 'code'] as const;
export type CardField = (typeof cardFields)[number];

/** The fields that are wrong; what is wrong with one is one sentence. */
export type CardFaults = readonly CardField[];

/** What is handed over of a card, by the names of the protocol. */
export interface Handed {
  token: string;
  brand: CardBrand;
  bin: string;
  last_four: string;
  holder_name: string;
}

export interface FrameModel {
  lang: Lang;
  /** The origin whose pages may show the frame, and are told. */
  opener: string;
  /** Where a browser without scripts goes with the token; null: nowhere. */
  back: string | null;
  faults: CardFaults;
  /** What was typed, but number and code. */
  typed: Readonly<Partial<Record<CardField, string>>>;
}
