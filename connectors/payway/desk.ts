import type { Notifier } from '../protocol/notify.ts';
import type { Api } from './api.ts';
import type { BrowserNotes } from './browsers.ts';
import type { PaywayConfig } from './config.ts';

/** Dependencies of this connector's functions. */
export interface Desk {
  config: PaywayConfig;
  api: Api;
  /** Public address of the frame. */
  publicUrl: string;
  tell: Notifier['tell'];
  notes: BrowserNotes;
}

export const referenceOf = ({ prefix }: PaywayConfig, attempt: string): string =>
  `${prefix}-${attempt}`;

/**
 * Returns the reference and user of the one-peso payment that stores a card. No attempt has its
 * prefix.
 */
export const verificationOf = (config: PaywayConfig, card: string): string =>
  referenceOf(config, `K${card}`);

/** Returns the attempt of a reference, or null if it is another deployment's. */
export const attemptOf = ({ prefix }: PaywayConfig, reference: string): string | null =>
  reference.startsWith(`${prefix}-`) ? reference.slice(prefix.length + 1) : null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the seller from the account's settings, if the operator collects for others. */
export const aggregateOf = (settings: Record<string, unknown>): object | null =>
  isObject(settings.aggregate_data) ? settings.aggregate_data : null;

/**
 * Returns plan codes by number of installments, from the account's settings: `{"3": 13}` sends 13
 * for three installments. Drops invalid codes, so that the plain number is sent.
 */
export const planCodesOf = ({ plan_codes: codes }: Record<string, unknown>): Map<string, number> =>
  new Map(
    Object.entries(isObject(codes) ? codes : {}).filter(
      (entry): entry is [string, number] => Number.isInteger(entry[1]) && Number(entry[1]) > 0,
    ),
  );

export const establishmentOf = (
  settings: Record<string, unknown>,
  config: PaywayConfig,
): string | null => {
  const own = settings.establishment_name;
  return typeof own === 'string' && own !== '' ? own.slice(0, 25) : config.establishment;
};
