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

/** The reference under which the acquirer knows an attempt. */
export const referenceOf = ({ prefix }: PaywayConfig, attempt: string): string =>
  `${prefix}-${attempt}`;

/** The payment of one peso, and the user, by which a card is kept: no attempt begins so. */
export const verificationOf = (config: PaywayConfig, card: string): string =>
  referenceOf(config, `K${card}`);

/** The attempt of a reference; null: it is of another deployment. */
export const attemptOf = ({ prefix }: PaywayConfig, reference: string): string | null =>
  reference.startsWith(`${prefix}-`) ? reference.slice(prefix.length + 1) : null;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The seller, if the operator collects for others; from the account's settings. */
export const aggregateOf = (settings: Record<string, unknown>): object | null =>
  isObject(settings.aggregate_data) ? settings.aggregate_data : null;

/**
 * Codes of plans by their count, from the account's settings: `{"3": 13}` sends 13 for three
 * installments. What is no such code is left out, so that the count is sent.
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
