import { eventTypes, everyEvent } from '../../events/index.ts';
import { catalog, textAt } from '../../language/catalog.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { happened, typeNames } from '../../webhooks/index.ts';
import en from './events.en.json' with { type: 'json' };
import es from './events.es.json' with { type: 'json' };

const words = catalog({ en, es });

const entityOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** Returns event types by subject, with translated texts and the API's names. */
const eventGroups = (lang: Lang) =>
  [...Map.groupBy(eventTypes, ({ name }) => entityOf(name))].map(([entity, types]) => ({
    entity,
    label: textAt(words[lang].entities, entity) ?? entity,
    choices: types.map(({ name }) => ({
      value: name,
      label: textAt(words[lang].happenings, happened(name)) ?? name,
      hint: name,
    })),
  }));

/** Returns the options of a webhook's form: every event, or single types. */
export const eventOffer = (lang: Lang) => {
  const { every, everyHint } = words[lang];
  return {
    groups: [
      { name: 'every', choices: [{ value: everyEvent.name, label: every, hint: everyHint }] },
      ...eventGroups(lang).map(({ entity: name, ...group }) => ({ name, ...group })),
    ],
  };
};

/** Describes an event by subject and action: `Cobros: se pagó`. */
export function eventText(lang: Lang, name: string): string {
  if (name === everyEvent.name) return words[lang].every;
  const what = textAt(words[lang].happenings, happened(name)) ?? happened(name);
  return `${textAt(words[lang].entities, entityOf(name)) ?? entityOf(name)}: ${what.toLowerCase()}`;
}

/** Counts the event types of a webhook, or says that it wants every event. */
export function eventCount(lang: Lang, ids: readonly number[]): string | number {
  const names = typeNames(ids);
  return names.includes(everyEvent.name) ? words[lang].everyShort : names.length;
}
