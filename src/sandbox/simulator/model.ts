import type { CardBrand } from '../../kernel/card-number.ts';
import type { Lang } from '../../platform/pages/model.ts';

export const simulatorPrefix = '/simulator';
export const framePath = `${simulatorPrefix}/frame`;
export const tokensPath = `${simulatorPrefix}/tokens`;

export const cardFields = ['number', 'holder', 'expiry', 'code'] as const;
export type CardField = (typeof cardFields)[number];

/** Invalid fields. Each has one message. */
export type CardFaults = readonly CardField[];

/** The frame's result, with the protocol's names. */
export interface FrameResult {
  token: string;
  brand: CardBrand;
  bin: string;
  last_four: string;
  holder_name: string;
}

export interface FrameModel {
  lang: Lang;
  /** Origin of the pages that may embed the frame and receive its messages. */
  opener: string;
  /** Address that receives the token from a browser without scripts, or null. */
  back: string | null;
  faults: CardFaults;
  /** The typed fields, except number and code. */
  typed: Readonly<Partial<Record<CardField, string>>>;
}
