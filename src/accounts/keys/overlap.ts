import { type Field, fail } from '../../platform/http/form.ts';
import { refusals } from '../codes.ts';

const mostDays = 30;
const expectation = refusals.fault('api_key.overlap_invalid', { days: mostDays });
const secondsOf: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/** Default overlap in seconds: a day. */
export const usualOverlap = 86_400;

/** The time for which both keys work, in seconds. Written as `0`, `90m`, `24h` or `7d`. */
export const overlapTime: Field<number> = {
  schema: { type: 'string', maxLength: 10 },
  expectation,
  parse(value) {
    const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(String(value).trim()) ?? [];
    const seconds =
      String(value).trim() === '0' ? 0 : Number(number) * (secondsOf[unit ?? ''] ?? Number.NaN);
    return seconds <= mostDays * 86_400 ? { ok: true, value: seconds } : fail(expectation);
  },
};
