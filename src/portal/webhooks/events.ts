import { type EventName, eventTypes } from '../../events/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { happened } from '../../webhooks/index.ts';

type Words = Readonly<Record<string, string>>;

const entities: Readonly<Record<Lang, Words>> = {
  es: {
    payment_request: 'Cobros',
    qr: 'QR',
    qr_batch: 'Lotes de QR',
    adhesion: 'Adhesiones en cuenta',
    card_adhesion: 'Adhesiones en tarjeta',
    debit_request: 'Débitos en cuenta',
    card_debit_request: 'Débitos en tarjeta',
  },
  en: {
    payment_request: 'Payment requests',
    qr: 'QRs',
    qr_batch: 'Batches of QRs',
    adhesion: 'Bank account mandates',
    card_adhesion: 'Card mandates',
    debit_request: 'Bank debits',
    card_debit_request: 'Card debits',
  },
};

const happenings: Readonly<Record<Lang, Words>> = {
  es: {
    paid: 'Se pagó',
    rejected: 'Se rechazó',
    expired: 'Venció',
    reverted: 'Contracargo',
    refunded: 'Se devolvió',
    refund_requested: 'Se pidió una devolución',
    refund_failed: 'Falló la devolución',
    disputed: 'Cambió una disputa',
    deleted: 'Se eliminó',
    completed: 'Se completó',
    failed: 'Falló',
    signed: 'Se firmó',
    canceled: 'Se canceló',
  },
  en: {
    paid: 'Paid',
    rejected: 'Rejected',
    expired: 'Expired',
    reverted: 'Charged back',
    refunded: 'Refunded',
    refund_requested: 'Refund asked for',
    refund_failed: 'Refund failed',
    disputed: 'Dispute changed',
    deleted: 'Deleted',
    completed: 'Completed',
    failed: 'Failed',
    signed: 'Signed',
    canceled: 'Canceled',
  },
};

export const isEventName = (text: string): text is EventName =>
  eventTypes.some(({ name }) => name === text);

const entityOf = (name: string): string => name.slice(0, name.indexOf('.'));

/** The types of events by what they happen to, in words and by the name that integrators know. */
export const eventGroups = (lang: Lang) =>
  [...Map.groupBy(eventTypes, ({ name }) => entityOf(name))].map(([entity, types]) => ({
    entity,
    label: entities[lang][entity] ?? entity,
    choices: types.map(({ name }) => ({
      value: name,
      label: happenings[lang][happened(name)] ?? name,
      hint: name,
    })),
  }));

/** What happened to what: `Cobros: se pagó`. */
export function eventText(lang: Lang, name: string): string {
  const what = happenings[lang][happened(name)] ?? happened(name);
  return `${entities[lang][entityOf(name)] ?? entityOf(name)}: ${what.toLowerCase()}`;
}

/** Names of types by their ids. */
export const eventNames = (ids: readonly number[]): string[] =>
  eventTypes.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
