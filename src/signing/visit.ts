import type { Account } from '../accounts/index.ts';
import { isolated } from '../kernel/text.ts';
import {
  type MandateKey,
  type MandateRow,
  type MandateVerbs,
  maskedInstrument,
  type SigningEmail,
} from '../mandates/index.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import type { Links } from '../platform/links.ts';
import { linkMark } from '../platform/mail/queue.ts';
import { cuitText, momentText } from '../platform/pages/format.ts';
import type { Lang } from '../platform/pages/model.ts';
import { type Subject, statementOf, texts } from './texts.ts';

export interface SigningParts {
  mandates: MandateVerbs;
  links: Links;
  business: BusinessClock;
  sandbox: boolean;
  readAccount(id: string): Promise<Account | null>;
}

export interface Visit {
  key: MandateKey;
  row: MandateRow;
  account: Account;
  lang: Lang;
  path: string;
}

/** Returns true if the holder enters the card while signing. */
export const isUnnamed = (row: MandateRow): boolean =>
  row.kind === 'card_adhesion' && row.keeps_card && row.details.last_four === undefined;

export const subjectOf = ({ row, account, lang }: Visit): Subject => ({
  issuer: account.name,
  issuerCuit: cuitText(account.cuit),
  instrument: isUnnamed(row) ? texts[lang].card.unnamed : maskedInstrument(row),
  payer: row.payer,
  description: row.description,
  reference: row.reference,
});

export const localized = ({ lang, path }: Visit): string =>
  lang === 'en' ? `${path}?lang=en` : path;

/** Returns the email with the holder's copy of a signed or revoked consent. */
export function copyOf(
  visit: Visit,
  what: 'signed' | 'revoked',
  { business }: SigningParts,
): SigningEmail {
  const { row, account, lang } = visit;
  const { subject, body } = texts[lang].copies[what];
  const issuer = isolated(account.name);
  return {
    recipient: row.email,
    subject: subject({ issuer }),
    body: body({
      issuer,
      number: String(row.id),
      moment: momentText(lang, business.now()),
      text: statementOf(lang, subjectOf(visit)).join('\n\n'),
      url: linkMark + localized(visit).slice(visit.path.length),
    }),
    link: { kind: row.kind, id: row.id, no: row.link_no },
  };
}
