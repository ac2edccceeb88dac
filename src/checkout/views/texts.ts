import type { Lang } from './model.ts';
import { english } from './texts-en.ts';
import { spanish } from './texts-es.ts';
import type { Texts } from './wording.ts';

/** Both dictionaries of the checkout. */
export const texts: Readonly<Record<Lang, Texts>> = { es: spanish, en: english };
