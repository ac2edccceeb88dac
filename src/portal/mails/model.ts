import { type MailText, mailTextFaults, type PayerMailKind } from '../../payment-requests/index.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { mailTexts } from './texts.ts';

/** Returns the faults of an email's text. Joins those of one field. */
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

export const textIn = (posted: URLSearchParams): MailText => ({
  subject: (posted.get('subject') ?? '').trim(),
  body: (posted.get('body') ?? '').replace(/\r\n?/g, '\n').trim(),
});
