import { catalog, textAt } from '../../language/catalog.ts';
import type { Lang } from '../../platform/pages/model.ts';
import en from './labels.en.json' with { type: 'json' };
import es from './labels.es.json' with { type: 'json' };

/**
 * Labels by group: acts; entities and happenings, from which other acts are composed; fields and
 * their values.
 */
const words = catalog({ en, es });

type Group = keyof typeof en;

const named = (lang: Lang, group: Group, code: string): string | undefined =>
  textAt(words[lang][group], code);

/** Returns an act's own name, or one composed of verb and subject. */
export function actName(lang: Lang, type: string): string {
  const [entity = '', what = ''] = type.split('.');
  const thing = named(lang, 'entities', entity);
  const happened = named(lang, 'happenings', what);
  const own = named(lang, 'acts', type);
  if (own !== undefined || thing === undefined || happened === undefined) return own ?? type;
  return `${thing}: ${happened}`;
}

export const fieldName = (lang: Lang, name: string): string => named(lang, 'fields', name) ?? name;

export const valueName = (lang: Lang, value: string): string =>
  named(lang, 'values', value) ?? value;

export const entityName = (lang: Lang, entity: string): string =>
  named(lang, 'entities', entity) ?? entity;

const choices = (lang: Lang, group: Group) =>
  Object.entries(words[lang][group]).map(([value, label]) => ({ value, label }));

/** Returns the choices of the search form. */
export const actChoices = (lang: Lang) => choices(lang, 'acts');
export const entityChoices = (lang: Lang) => choices(lang, 'entities');
