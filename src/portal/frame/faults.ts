import type { LocalizedText } from '../../language/localized-text.ts';
import type { FoundFault, Refusal } from '../../platform/errors.ts';
import type { Lang } from '../../platform/pages/model.ts';

/**
 * Translates a fault. Faults without a code, from third parties or earlier releases, stay
 * unchanged.
 */
export const faultText = (lang: Lang, message: string | LocalizedText): string =>
  typeof message === 'string' ? message : message.in(lang);

/** Translates a refusal or one of its faults. */
export const refusalText = (lang: Lang, { localized, message }: Refusal | FoundFault): string =>
  faultText(lang, localized ?? message);
