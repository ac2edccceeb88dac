import { dayOf } from '../kernel/dates.ts';
import type { Centavos } from '../kernel/money.ts';
import { type ChannelCode, channelCodes } from '../money/channels/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Clock } from '../platform/clocks.ts';
import { amount, day, line, moment, oneOf, recordId } from '../platform/http/fields.ts';
import { optional, required } from '../platform/http/form.ts';
import { operation } from '../platform/operations.ts';
import type { SweepCount } from '../platform/sweeps.ts';
import { fault } from './codes.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

const played = { act: 'sandbox.play', texts: { en, es } } as const;

export const clockSteps = ['hour', 'day', 'week', 'month'] as const;
const hoursOf = { hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;
const mostDays = 5 * 365;

const daysUntil = (from: Temporal.Instant, until: Temporal.PlainDate): number =>
  dayOf(from).until(until).total('days');

interface MoveClock {
  clock: Pick<Clock, 'now'>;
  move(actor: Actor, to: Temporal.Instant): Promise<{ happened: readonly SweepCount[] }>;
}

/** Moves the business clock by a step, or to a day. Null if it had already passed the target. */
export const clockMoving = operation({
  ...played,
  name: 'sandbox.move-clock',
  takes: {
    // When the form was shown, so that sending it twice moves the clock once.
    from: required(moment()),
    step: optional(oneOf(clockSteps)),
    until: optional(day({ iso: true })),
  },
  rules({ from, step, until }) {
    if (step === null && until === null) return { step: fault('sandbox.clock_no_step', {}) };
    if (!from || !until) return {};
    const days = daysUntil(from, until);
    return days < 1 || days > mostDays ? { until: fault('sandbox.clock_until', {}) } : {};
  },
  repeat: 'natural',
  async run({ clock, move }: MoveClock, { from, step, until }, actor) {
    const hours = until ? daysUntil(from, until) * 24 : hoursOf[step ?? 'hour'];
    const target = from.add({ hours });
    return Temporal.Instant.compare(target, clock.now()) <= 0 ? null : await move(actor, target);
  },
});

type Pay = (
  payment: { channel: ChannelCode | null; amount: Centavos | null; card_number: string | null },
  actor: Actor,
) => Promise<unknown>;

export const requestPaying = operation({
  ...played,
  name: 'sandbox.pay',
  takes: {
    id: required(recordId()),
    channel: optional(oneOf(channelCodes)),
    amount: optional(amount()),
    card_number: optional(line({ max: 30 })),
  },
  repeat: 'claim',
  run: (pay: Pay, { id: _, ...payment }, actor) => pay(payment, actor),
});

export const paymentChargingBack = operation({
  ...played,
  name: 'sandbox.charge-back',
  takes: { id: required(recordId()), result: required(recordId()) },
  repeat: 'claim',
  run: (reverse: (resultId: number, actor: Actor) => Promise<unknown>, { result }, actor) =>
    reverse(result, actor),
});
