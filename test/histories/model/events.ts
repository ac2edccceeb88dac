import type { Ask } from './ask.ts';
import type { Model } from './model.ts';
import { endings } from './money.ts';

/** Expected webhooks of each entity: names of events, sorted. */
export type Heard = Map<string, string[]>;

const times = (name: string, count: number): string[] => Array.from({ length: count }, () => name);

function namesOf(ask: Ask, state: string): string[] {
  const { kind, payments, backs, refunds, rejections, retried } = ask;
  const refunded = backs.filter(({ type }) => type === 'refund').length;
  const reverted = backs.length - refunded;
  const failed = refunds.filter((one) => one.state === 'failed').length;
  const ended = endings.filter((one) => one === state);
  return [
    ...times('paid', payments.length),
    // A QR has one event name for refunds and chargebacks, and none for refused attempts.
    ...times('refunded', kind === 'qr' ? backs.length : refunded),
    ...times('reverted', kind === 'qr' ? 0 : reverted),
    ...times('rejected', kind === 'qr' ? 0 : rejections.length - retried),
    ...times('refund_requested', refunds.length),
    ...times('refund_failed', failed),
    ...ended,
    ...ask.endings,
  ].map((name) => `${kind}.${name}`);
}

export function toBeHeard(model: Model): Heard {
  const heard: Heard = new Map();
  const add = (entity: string, names: string[]): void => {
    if (names.length > 0) heard.set(entity, names.sort());
  };
  for (const ask of model.asks.values()) {
    add(`${ask.kind} ${ask.code ?? ask.id}`, namesOf(ask, model.state(ask)));
  }
  for (const { kind, id, state, wasSigned } of model.mandates.values()) {
    add(`${kind} ${id}`, [
      ...times(`${kind}.signed`, wasSigned ? 1 : 0),
      ...times(`${kind}.canceled`, state === 'canceled' ? 1 : 0),
    ]);
  }
  for (const id of model.uploads) add(`qr_batch ${id}`, ['qr_batch.completed']);
  return heard;
}
