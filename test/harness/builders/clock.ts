import { formatDay, midnightOf } from '../../../src/kernel/dates.ts';
import type { Answer, TestService } from '../service.ts';

/** Returns the day `days` after the service's today, as request bodies write it. */
export const inDays = (service: TestService, days: number): string =>
  formatDay(service.service.parts.clocks.business.today().add({ days }));

/** Returns a date-time's day in the QR service's format, DD-MM-YYYY. */
export const dayIn = (time: string): string => time.slice(0, 10).split('-').reverse().join('-');

export const todayOf = (service: TestService): Temporal.PlainDate =>
  service.service.parts.clocks.business.today();

export const advance = (service: TestService, body: Record<string, unknown>): Promise<Answer> =>
  service.call('POST', '/sandbox/clock', { body });

/**
 * Moves the clock to the next noon, so that the morning's jobs have run at whatever hour tests run.
 */
export function advanceToNoon(service: TestService): Promise<Answer> {
  const { business } = service.service.parts.clocks;
  const noon = midnightOf(business.today()).add({ hours: 12 });
  const late = Temporal.Instant.compare(noon, business.now()) <= 0;
  return advance(service, { advance_to: String(late ? noon.add({ hours: 24 }) : noon) });
}
