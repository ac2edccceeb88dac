import { catalog } from '../../language/catalog.ts';
import type { ThreeDs } from '../../money/channels/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import en from './three-ds.en.json' with { type: 'json' };
import es from './three-ds.es.json' with { type: 'json' };

const texts = catalog({ en, es });

/** The same in every language. */
export const threeDsName = '3-D Secure';

/** Describes who bears fraud losses. */
export const liabilityText = (lang: Lang, { liability }: ThreeDs): string =>
  texts[lang].liabilities[liability];

/** Describes the result of 3-D Secure, and who bears fraud losses. */
export const threeDsText = (lang: Lang, threeDs: ThreeDs): string =>
  `${texts[lang].results[threeDs.result]}. ${liabilityText(lang, threeDs)}`;
