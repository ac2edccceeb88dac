import { catalog } from '../../language/catalog.ts';
import type { ThreeDs } from '../../money/channels/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import en from './three-ds.en.json' with { type: 'json' };
import es from './three-ds.es.json' with { type: 'json' };

const texts = catalog({ en, es });

/** What people call it, in every language. */
export const threeDsName = '3-D Secure';

/** Who bears the loss of a fraud. */
export const liabilityText = (lang: Lang, { liability }: ThreeDs): string =>
  texts[lang].liabilities[liability];

/** What 3-D Secure came to, and who bears the loss of a fraud. */
export const threeDsText = (lang: Lang, told: ThreeDs): string =>
  `${texts[lang].results[told.result]}. ${liabilityText(lang, told)}`;
