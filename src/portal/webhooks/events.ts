import { eventTypes } from '../../events/index.ts';
import { catalog, textAt } from '../../language/catalog.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { happened } from '../../webhooks/index.ts';
import en from './events.en.json' with { type: 'json' };
import es from './events.es.json' with { type: 'json' };

const words = catalog({ en, es });

const entityOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** Returns event types by subject, with translated texts and the API's names. */
export const eventGroups = (lang: Lang) =>
  [...Map.groupBy(eventTypes, ({ name }) => entityOf(name))].map(([entity, types]) => ({
    entity,
    label: textAt(words[lang].entities, entity) ?? entity,
    choices: types.map(({ name }) => ({
      value: name,
      label: textAt(words[lang].happenings, happened(name)) ?? name,
      hint: name,
    })),
  }));

/** Describes an event by subject and action: `Cobros: se pagó`. */
export function eventText(lang: Lang, name: string): string {
  const what = textAt(words[lang].happenings, happened(name)) ?? happened(name);
  return `${textAt(words[lang].entities, entityOf(name)) ?? entityOf(name)}: ${what.toLowerCase()}`;
}

/** Returns the names of event types by id. */
export const eventNames = (ids: readonly number[]): string[] =>
  eventTypes.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
