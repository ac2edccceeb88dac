import { catalog, textAt } from '../../../language/catalog.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import en from './sweep-names.en.json' with { type: 'json' };
import es from './sweep-names.es.json' with { type: 'json' };

/** Translated names of sweeps, by the name that each sweep has in the code. */
const names = catalog({ en, es });

export const sweepName = (lang: Lang, name: string): string => textAt(names[lang], name) ?? name;
