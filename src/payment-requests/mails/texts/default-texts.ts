import type { Lang } from '../../../platform/pages/model.ts';
import en from './default-texts.en.json' with { type: 'json' };
import es from './default-texts.es.json' with { type: 'json' };
import type { MailText, PayerMailKind } from './kinds.ts';

/** Default templates, with the placeholders of `fill`. */
export const defaultTexts: Readonly<Record<Lang, Readonly<Record<PayerMailKind, MailText>>>> = {
  en,
  es,
};
