import type { Lang } from '../../../platform/pages/model.ts';

export const payerMailKinds = ['request', 'reminder', 'receipt'] as const;
export type PayerMailKind = (typeof payerMailKinds)[number];

export const langs = ['es', 'en'] as const satisfies readonly Lang[];

/** Languages of an account's emails to payers. `both` puts Spanish first. */
export const mailLanguages = ['es', 'en', 'both'] as const;
export type MailLanguages = (typeof mailLanguages)[number];

export const placeholders = {
  payer: { es: 'pagador', en: 'payer' },
  account: { es: 'cuenta', en: 'account' },
  description: { es: 'concepto', en: 'description' },
  reference: { es: 'referencia', en: 'reference' },
  amount: { es: 'importe', en: 'amount' },
  due: { es: 'vencimiento', en: 'due' },
  dues: { es: 'vencimientos', en: 'dues' },
  date: { es: 'fecha', en: 'date' },
  channel: { es: 'medio', en: 'channel' },
  link: { es: 'enlace', en: 'link' },
  coupon: { es: 'cupon', en: 'coupon' },
} as const satisfies Record<string, Record<Lang, string>>;

export type Placeholder = keyof typeof placeholders;

const common = ['payer', 'account', 'description', 'reference', 'amount'] as const;
const ofRequest: readonly Placeholder[] = [...common, 'due', 'dues', 'link', 'coupon'];

export const placeholdersOf: Readonly<Record<PayerMailKind, readonly Placeholder[]>> = {
  request: ofRequest,
  reminder: ofRequest,
  receipt: [...common, 'date', 'channel', 'link'],
};

/** Placeholders that only the body may contain, because addresses are too long for a subject. */
export const onlyInBody: readonly Placeholder[] = ['link', 'coupon'];

export interface MailText {
  subject: string;
  body: string;
}
