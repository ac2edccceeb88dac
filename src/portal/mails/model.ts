import {
  heldMailSettings,
  type MailText,
  mailLanguages,
  mailTextFaults,
  mostReminderDays,
  type PayerMailKind,
  type PayerMailSettings,
  payerMailKinds,
} from '../../payment-requests/index.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { firstShown, type RepeatedForm, seenIn } from '../frame/overtaken.tsx';
import { mailTexts } from './texts.ts';

/** Posted values of the settings form. */
export interface SettingsDraft extends RepeatedForm {
  kinds: readonly string[];
  days: string;
  languages: string;
  coupon: string;
  faults: readonly FieldFault[];
}

export const draftOf = (settings: PayerMailSettings): SettingsDraft => ({
  kinds: payerMailKinds.filter((kind) => settings[kind]),
  days: String(settings.reminderDays),
  languages: settings.languages,
  coupon: settings.attachesCoupon ? 'file' : 'link',
  faults: [],
  ...firstShown(heldMailSettings(settings)),
});

/** Reads the settings' form; null with the draft if it has faults. */
export function readSettings(
  lang: Lang,
  posted: URLSearchParams,
): { draft: SettingsDraft; settings: PayerMailSettings | null } {
  const { settings: words } = mailTexts[lang];
  const sent = {
    kinds: posted.getAll('kinds'),
    days: (posted.get('days') ?? '').trim(),
    languages: posted.get('languages') ?? '',
    coupon: posted.get('coupon') ?? '',
  };
  const days = /^\d{1,2}$/.test(sent.days) ? Number(sent.days) : 0;
  const languages = mailLanguages.find((one) => one === sent.languages);
  const isCoupon = sent.coupon === 'file' || sent.coupon === 'link';
  const found: (FieldFault | false)[] = [
    (days < 1 || days > mostReminderDays) && {
      field: 'days',
      label: words.days,
      text: words.daysFault,
    },
    languages === undefined && {
      field: 'languages',
      label: words.languages,
      text: words.choiceFault,
    },
    !isCoupon && { field: 'coupon', label: words.coupon, text: words.choiceFault },
  ];
  const faults = found.filter((one) => one !== false);
  const draft = { ...sent, faults, ...seenIn(posted) };
  if (faults.length > 0 || languages === undefined) return { draft, settings: null };
  const on = (kind: PayerMailKind): boolean => sent.kinds.includes(kind);
  return {
    draft,
    settings: {
      request: on('request'),
      reminder: on('reminder'),
      receipt: on('receipt'),
      reminderDays: days,
      languages,
      attachesCoupon: sent.coupon === 'file',
    },
  };
}

/** Returns the faults of a text, a sentence for each field. */
export function faultsOf(
  lang: Lang,
  { kind, lang: of, text }: { kind: PayerMailKind; lang: Lang; text: MailText },
): FieldFault[] {
  const labels = mailTexts[lang].texts;
  const faults = mailTextFaults(kind, of, text);
  return (['subject', 'body'] as const).flatMap((field) => {
    const errors = faults[field]?.errors;
    if (!errors) return [];
    return [{ field, label: labels[field], text: errors.map((one) => one.in(lang)).join(' ') }];
  });
}

/** A text as a browser sends it. */
export const textIn = (posted: URLSearchParams): MailText => ({
  subject: (posted.get('subject') ?? '').trim(),
  body: (posted.get('body') ?? '').replace(/\r\n?/g, '\n').trim(),
});
