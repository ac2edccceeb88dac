import { catalog, textAt } from '../../../language/catalog.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import en from './labels.en.json' with { type: 'json' };
import es from './labels.es.json' with { type: 'json' };

/** Names of rails, states of files, decisions on lines, and remarks. */
export const fileLabels = catalog({ en, es });

/** Returns the name of a rail's sender or recipient. */
export const railText = (lang: Lang, rail: string): string =>
  textAt(fileLabels[lang].rails, rail) ?? rail;
