import { catalog, textAt } from '../../../language/catalog.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import en from './labels.en.json' with { type: 'json' };
import es from './labels.es.json' with { type: 'json' };

/** Rails, states of files, what lines were taken for, and remarks on them. */
export const fileLabels = catalog({ en, es });

/** Who sends or takes a file, by the name of its rail. */
export const railText = (lang: Lang, rail: string): string =>
  textAt(fileLabels[lang].rails, rail) ?? rail;
