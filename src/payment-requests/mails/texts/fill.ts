import { directionControl, hasControl, isBlank, isolated, lengthOf } from '../../../kernel/text.ts';
import type { LocalizedText } from '../../../language/localized-text.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { fault } from '../codes.ts';
import {
  type MailText,
  onlyInBody,
  type PayerMailKind,
  type Placeholder,
  placeholders,
  placeholdersOf,
} from './kinds.ts';

export const longestSubject = 200;
export const longestBody = 5_000;
/** Maximum length of a filled-in subject. Headers should be short, but values may be long. */
const longestSent = 250;

/** Faults of an account's text, by part. */
type TextFaults = Partial<Record<'subject' | 'body', { errors: LocalizedText[] }>>;

const named = /\{([^{}\n]*)\}/g;

const namesIn = (text: string): string[] => [...text.matchAll(named)].map(([, name = '']) => name);

/** Returns the names, in a language, of the placeholders that a part may contain. */
export const namesFor = (
  kind: PayerMailKind,
  lang: Lang,
  field: 'subject' | 'body',
): readonly string[] =>
  placeholdersOf[kind]
    .filter((one) => field === 'body' || !onlyInBody.includes(one))
    .map((one) => placeholders[one][lang]);

function faultsOf(
  text: string,
  field: 'subject' | 'body',
  { kind, lang }: { kind: PayerMailKind; lang: Lang },
): LocalizedText[] {
  if (isBlank(text)) return [fault('payer_mail.text_blank', {})];
  const most = field === 'subject' ? longestSubject : longestBody;
  if (lengthOf(text) > most) return [fault('payer_mail.text_long', { most })];
  if (field === 'subject' && /[\r\n\u2028\u2029]/.test(text)) {
    return [fault('payer_mail.text_of_lines', {})];
  }
  const controls = hasControl(text, { lineBreaks: field === 'body' });
  if (controls || directionControl(text) !== null || !text.isWellFormed()) {
    return [fault('payer_mail.text_control', {})];
  }
  const known = namesFor(kind, lang, field);
  return [...new Set(namesIn(text))]
    .filter((name) => !known.includes(name))
    .map((name) => fault('payer_mail.text_unknown_name', { name: `{${name}}` }));
}

/** Returns a text's faults. It can be sent if there are none. */
export function textFaults(kind: PayerMailKind, lang: Lang, text: MailText): TextFaults {
  const subject = faultsOf(text.subject, 'subject', { kind, lang });
  const body = faultsOf(text.body, 'body', { kind, lang });
  const link = placeholders.link[lang];
  const lacksLink = kind !== 'receipt' && !namesIn(text.body).includes(link);
  if (body.length === 0 && lacksLink) {
    body.push(fault('payer_mail.text_no_link', { name: `{${link}}` }));
  }
  return {
    ...(subject.length > 0 && { subject: { errors: subject } }),
    ...(body.length > 0 && { body: { errors: body } }),
  };
}

/** Values of placeholders. Missing ones become a dash. */
export type Values = Partial<Record<Placeholder, string>>;

/** Marks that become links when the email is sent. No value or text can contain one. */
export const marks = {
  link: '[[link]]',
  coupon: '[[coupon]]',
  unsubscribe: '[[unsubscribe]]',
} as const;

/** Separates adjacent opening brackets, so that the text contains no mark. */
export const unmarked = (text: string): string => text.replace(/\[(?=\[)/g, '[ ');

const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');

/** Stand-ins for marks while values are filled in. No value contains these characters. */
const standIns = { link: '\u0001', coupon: '\u0002' } as const;

/** Confines a user's text: removes control characters and isolates its direction. */
const settled = (text: string): string => isolated(withoutControls(text));

const oneLine = (text: string): string => {
  const line = text.replace(/\s+/gu, ' ').trim();
  return lengthOf(line) <= longestSent ? line : `${[...line].slice(0, longestSent - 1).join('')}…`;
};

/** Fills in a text in a single pass, so that values are never read as placeholders. */
export function fill(
  { subject, body }: MailText,
  lang: Lang,
  values: Values,
): { subject: string; body: string } {
  const keys = Object.keys(placeholders) as Placeholder[];
  const byName = new Map(keys.map((key) => [placeholders[key][lang] as string, key]));
  // A mark could also form at the boundary of text and value, so check the whole.
  const filled = (text: string): string =>
    unmarked(
      text.replace(named, (whole, name: string) => {
        const key = byName.get(name);
        if (key === undefined) return whole;
        if (key === 'link' || key === 'coupon') return standIns[key];
        return settled(values[key] ?? '—');
      }),
    )
      .replaceAll(standIns.link, marks.link)
      .replaceAll(standIns.coupon, marks.coupon);
  return { subject: oneLine(filled(subject)), body: filled(body).replace(/\r\n?/g, '\n') };
}
