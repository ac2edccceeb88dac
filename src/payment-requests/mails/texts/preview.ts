import type { Account } from '../../../accounts/index.ts';
import { isLive } from '../../../money/collections/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Links } from '../../../platform/links.ts';
import { type EmailHead, emailSample, emailStyles } from '../../../platform/mail/layout.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { FindPaymentRequest } from '../../get.ts';
import { mailLinks, withLinks } from '../dress.ts';
import { composeMail, sampleRequest } from './compose.ts';
import type { MailText, PayerMailKind } from './kinds.ts';
import { mailTexts } from './texts.ts';

export interface PreviewOrder {
  account: Account;
  kind: PayerMailKind;
  lang: Lang;
  text: MailText;
  /** Id of a request. Null previews a sample. */
  requestId: number | null;
}

export interface MailPreview {
  subject: string;
  body: string;
  /** The HTML view of the email, with its style attributes. */
  page: { html: string; styles: readonly string[] };
}

export type PreviewMail = (order: PreviewOrder) => Promise<MailPreview | null>;

export interface PreviewParts {
  find: FindPaymentRequest;
  links: Links;
  headOf(account: Account): Promise<EmailHead>;
}

const sampleLinks = ({ origin }: Links, lang: Lang) => ({
  link: `${origin}/checkout/${mailTexts[lang].sample}`,
  coupon: `${origin}/coupon/${mailTexts[lang].sample}.pdf`,
  unsubscribe: `${origin}/unsubscribe/${mailTexts[lang].sample}`,
});

/** Renders an email as its payer would read it. Returns null if the account has no such request. */
export const previewMail =
  ({ clocks }: Base, { find, links, headOf }: PreviewParts): PreviewMail =>
  async ({ account, kind, lang, text, requestId }) => {
    const key = requestId === null ? null : { accountId: account.id, id: requestId };
    const found = key && (await find(key));
    if (key && !found) return null;
    const request = found?.row ?? sampleRequest(clocks.business.today());
    const last = found?.results.findLast(isLive);
    const paid = {
      amount: last?.amount ?? request.total1,
      at: last?.paid_at ?? clocks.business.now(),
      channel: last?.channel_label ?? 'Pago Fácil',
    };
    const subject = { kind, account: account.name, request, dueNo: 1 as const };
    const { subject: line, body } = composeMail(
      { ...subject, paid: kind === 'receipt' ? paid : null },
      lang,
      { es: text, en: text },
    );
    const filled = withLinks(body, key ? mailLinks(links, key) : sampleLinks(links, lang));
    const head = await headOf(account);
    const html = emailSample(filled, head, links.origin);
    return { subject: line, body: filled, page: { html, styles: emailStyles(head) } };
  };
