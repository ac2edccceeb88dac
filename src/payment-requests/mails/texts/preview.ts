import type { Base } from '../../../platform/base.ts';
import type { Links } from '../../../platform/links.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { FindPaymentRequest } from '../../get.ts';
import { mailLinks, withLinks } from '../dress.ts';
import { composeMail, sampleRequest } from './compose.ts';
import type { MailText, PayerMailKind } from './kinds.ts';

export interface PreviewAsked {
  account: { id: string; name: string };
  kind: PayerMailKind;
  lang: Lang;
  text: MailText;
  /** Of a request that there is; null: of a sample. */
  requestId: number | null;
}

export type PreviewMail = (
  asked: PreviewAsked,
) => Promise<{ subject: string; body: string } | null>;

const sampleLinks = ({ origin }: Links) => ({
  link: `${origin}/checkout/…`,
  coupon: `${origin}/coupon/….pdf`,
  unsubscribe: `${origin}/unsubscribe/…`,
});

/** A mail as its payer would read it; null: the account has no such request. */
export const previewMail =
  ({ clocks }: Base, { find, links }: { find: FindPaymentRequest; links: Links }): PreviewMail =>
  async ({ account, kind, lang, text, requestId }) => {
    const key = requestId === null ? null : { accountId: account.id, id: requestId };
    const found = key && (await find(key));
    if (key && !found) return null;
    const request = found?.row ?? sampleRequest(clocks.business.today());
    const last = found?.results.findLast(({ type }) => type === 'collected');
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
    return {
      subject: line,
      body: withLinks(body, key ? mailLinks(links, key) : sampleLinks(links)),
    };
  };
