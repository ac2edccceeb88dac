import { type Centavos, centavos } from '../../../kernel/money.ts';
import { isolated } from '../../../kernel/text.ts';
import { dayText, moneyText, paidText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { PaymentRequestRow } from '../../details.ts';
import { fill, marks, unmarked, type Values } from './fill.ts';
import type { MailLanguages, MailText, PayerMailKind } from './kinds.ts';
import { mailTexts } from './texts.ts';

/** The account, request and payment that an email is about, for its placeholders. */
export interface MailSubject {
  kind: PayerMailKind;
  account: string;
  request: Pick<
    PaymentRequestRow,
    'payer' | 'description' | 'reference' | 'due1' | 'total1' | 'due2' | 'total2'
  >;
  /** Reminder: the due date, 1 or 2. */
  dueNo: 1 | 2;
  /** Receipt: the payment. */
  paid: { amount: Centavos; at: Temporal.Instant; channel: string } | null;
}

type Due = { day: Temporal.PlainDate; total: Centavos };

function duesOf({ due1, total1, due2, total2 }: MailSubject['request']): [Due, ...Due[]] {
  const first = { day: due1, total: total1 };
  return due2 !== null && total2 !== null ? [first, { day: due2, total: total2 }] : [first];
}

function valuesOf(lang: Lang, { account, request, dueNo, paid }: MailSubject): Values {
  const dues = duesOf(request);
  const due = dues[dueNo - 1] ?? dues[0];
  return {
    account,
    payer: request.payer,
    description: request.description,
    ...(request.reference !== null && { reference: request.reference }),
    amount: moneyText(lang, paid?.amount ?? due.total),
    due: dayText(lang, due.day),
    dues: dues
      .map(
        ({ day, total }) =>
          `${moneyText(lang, total)} ${mailTexts[lang].until} ${dayText(lang, day)}`,
      )
      .join('; '),
    ...(paid && { date: paidText(lang, paid.at), channel: paid.channel }),
  };
}

const langsOf = (languages: MailLanguages): readonly [Lang, ...Lang[]] =>
  languages === 'both' ? ['es', 'en'] : [languages];

/** Composes an email with marks for its links. With two languages, one follows the other. */
export function composeMail(
  subject: MailSubject,
  languages: MailLanguages,
  texts: Readonly<Record<Lang, MailText>>,
): { subject: string; body: string } {
  const langs = langsOf(languages);
  const parts = langs.map((lang) => fill(texts[lang], lang, valuesOf(lang, subject)));
  const account = unmarked(isolated(subject.account));
  const feet = langs.map((lang) => mailTexts[lang].footer({ account, link: marks.unsubscribe }));
  return {
    subject: parts[0]?.subject ?? '',
    body: `${[...parts.map(({ body }) => body), feet.join('\n')].join('\n\n—\n')}\n`,
  };
}

/** Returns a sample request for previews. */
export const sampleRequest = (today: Temporal.PlainDate): MailSubject['request'] => ({
  payer: 'Ana Pérez',
  description: 'Cuota social de diciembre',
  reference: 'SOCIO-1042',
  due1: today.add({ days: 10 }),
  total1: centavos(1_430_050),
  due2: today.add({ days: 20 }),
  total2: centavos(1_500_000),
});
