import { dayOf, isoDateTime, midnightOf } from '../../kernel/dates.ts';
import { type Centavos, decimalText, formatPesos } from '../../kernel/money.ts';
import type { Lang } from './model.ts';
import { frameTexts } from './texts.ts';

/** Formats a count: `12.345` in Spanish, `12,345` in English. */
export const countText = (lang: Lang, count: number): string =>
  // bounded: a count has at most 16 digits
  String(count).replaceAll(/\B(?=(\d{3})+$)/g, lang === 'es' ? '.' : ',');

/**
 * Formats an amount for people: `$ 1.430,00` in Spanish, `ARS 1,430.00` in English, with
 * non-breaking spaces.
 */
export function moneyText(lang: Lang, amount: Centavos): string {
  if (lang === 'es') return formatPesos(amount).replaceAll(' ', '\u00a0');
  // bounded: an amount has at most 20 characters
  return `ARS\u00a0${decimalText(amount).replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;
}

/** Formats a day: `5 de diciembre de 2026`. */
export function dayText(lang: Lang, day: Temporal.PlainDate): string {
  const words = frameTexts[lang];
  return words.day({ day: day.day, month: words.months[day.month - 1] ?? '', year: day.year });
}

/** Formats an instant in Argentine time: `5 de diciembre de 2026, 14:03`. */
export function momentText(lang: Lang, instant: Temporal.Instant): string {
  return `${dayText(lang, dayOf(instant))}, ${isoDateTime(instant).slice(11, 16)}`;
}

/**
 * Formats a payment's day and time. Omits the time at the start of a day, because payments from
 * files without times are recorded then.
 */
export function paidText(lang: Lang, instant: Temporal.Instant): string {
  return hasTime(instant) ? momentText(lang, instant) : dayText(lang, dayOf(instant));
}

export const hasTime = (instant: Temporal.Instant): boolean =>
  !midnightOf(dayOf(instant)).equals(instant);

/** Groups digits by four, for reading aloud and comparing. */
export function grouped(digits: string): string {
  return digits.replace(/([\d•]{4})(?=[\d•])/g, '$1 ');
}

/** Formats `30712345671` as `30-71234567-1`. */
export function cuitText(cuit: string): string {
  return cuit.replace(/^(\d{2})(\d{8})(\d)$/, '$1-$2-$3');
}

/** Created once, because creation costs more than a hundred uses. */
const shortDigits: Readonly<Record<Lang, Intl.NumberFormat>> = {
  es: new Intl.NumberFormat('es-AR', { maximumFractionDigits: 1 }),
  en: new Intl.NumberFormat('en', { maximumFractionDigits: 1 }),
};

const rates: Readonly<Record<Lang, Intl.NumberFormat>> = {
  es: new Intl.NumberFormat('es-AR', { maximumFractionDigits: 4 }),
  en: new Intl.NumberFormat('en', { maximumFractionDigits: 4 }),
};
const ppmPerPercent = 10_000;

/** Formats a rate in millionths: `3,5 %`. */
export const rateText = (lang: Lang, ppm: number): string =>
  `${rates[lang].format(ppm / ppmPerPercent)}\u00a0%`;

const thousand = 100_000;
const million = 100_000_000;

/** Formats an amount of centavos briefly, as for an axis: `$ 1,5 M`, `$ 20 mil`, `$ 350`. */
export function shortMoneyText(lang: Lang, amount: number): string {
  const [unit, name] =
    Math.abs(amount) >= million
      ? [million, ' M']
      : Math.abs(amount) >= thousand
        ? [thousand, lang === 'es' ? ' mil' : ' k']
        : [100, ''];
  const sign = lang === 'es' ? '$' : 'ARS';
  return `${sign}\u00a0${shortDigits[lang].format(amount / unit)}${name.replace(' ', '\u00a0')}`;
}
