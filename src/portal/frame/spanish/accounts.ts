import type { Words } from './words.ts';

/** Why accounts, keys, webhooks, people and the sandbox stay as they are. */
export const accountWords: Words = [
  [/not a valid URL/, 'No es una dirección.'],
  [/^This event type is not known|the name of an event type/, 'Ese tipo de evento no existe.'],
  [
    /name at least one event type|1 to 100 names or ids of event types/,
    'Elegí al menos un tipo de evento.',
  ],
  [
    /^Somebody else changed this meanwhile/,
    'Alguien más lo cambió mientras tanto: miralo de nuevo.',
  ],
  [/has no plan of (\d+) installments/, 'Esa tarjeta no tiene un plan de $1 cuotas.'],
  [
    /at its limit now|Please repeat the call|too many wait|Repeat (?:when|after|in)/,
    'Ahora hay demasiado trabajo: probá de nuevo en un momento.',
  ],
];
