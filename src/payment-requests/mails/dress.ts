import { compareDays } from '../../kernel/dates.ts';
import type { Base } from '../../platform/base.ts';
import type { BusinessClock } from '../../platform/clocks.ts';
import type { Links } from '../../platform/links.ts';
import type { LetterLink } from '../../platform/mail/queue.ts';
import type { Attachment, Dress } from '../../platform/mail/send.ts';
import type { StillPending } from '../../platform/mail/take.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type RequestKey, readRequests, stateOn } from '../../requests/index.ts';
import { isPaymentRequest, type PaymentRequestRow } from '../details.ts';
import { checkoutUrl, documentPaths } from '../present.ts';
import { readMailSettings } from './settings.ts';
import { addressOf, stopsOf } from './stops.ts';
import { marks } from './texts/fill.ts';
import { linkKinds, type ReadAccount } from './write.ts';

const kinds: readonly string[] = Object.values(linkKinds);

/** Returns an email's unsubscribe link, which is for the request's address only. */
export const unsubscribeUrl = (links: Links, key: RequestKey): string =>
  `${links.origin}/unsubscribe/${links.tokenOf(key, 'unsubscribe')}`;

/** Returns the addresses in an email about a request. */
export function mailLinks(links: Links, key: RequestKey) {
  const token = links.tokenOf(key);
  return {
    link: checkoutUrl(links, token),
    coupon: links.origin + documentPaths(token).pdfUrl,
    unsubscribe: unsubscribeUrl(links, key),
  };
}

/** Replaces an email's marks with addresses. */
export const withLinks = (body: string, urls: Record<keyof typeof marks, string>): string =>
  body
    .replaceAll(marks.link, () => urls.link)
    .replaceAll(marks.coupon, () => urls.coupon)
    .replaceAll(marks.unsubscribe, () => urls.unsubscribe);

export interface DressParts {
  links: Links;
  /** Draws the coupon as PDF. Returns null if there is nothing to print. */
  drawCoupon(key: RequestKey): Promise<Buffer | null>;
  /** Draws a payment's receipt as PDF. Returns null if the payment was reversed. */
  drawReceipt(key: RequestKey, receipt: { resultId: number; lang: Lang }): Promise<Buffer | null>;
}

/** Draws the receipt that an email is about. Returns null if the email is no longer stored. */
async function receiptOf(
  sql: Queryable,
  { drawReceipt }: DressParts,
  { accountId, id, mailId }: RequestKey & { mailId: number },
): Promise<Buffer | null> {
  const [mail] = await sql<{ no: number }[]>`
    select no from payer_mails
    where account_id = ${accountId} and request_id = ${id} and kind = 'receipt'
      and mail_id = ${mailId}`;
  if (!mail) return null;
  const { languages } = await readMailSettings(sql, accountId);
  const lang = languages === 'en' ? 'en' : 'es';
  return await drawReceipt({ accountId, id }, { resultId: mail.no, lang });
}

/**
 * Adds links, headers (RFC 8058), coupon and receipt when an email is sent, so that the database
 * has none of them.
 */
export const dressMail =
  ({ sql }: Pick<Base, 'sql'>, parts: DressParts): Dress =>
  async ({ accountId, kind, id, mailId }, body) => {
    if (!kinds.includes(kind)) return null;
    const key = { accountId, id };
    const urls = mailLinks(parts.links, key);
    const files = [
      ['cupon', kind === linkKinds.request_with_coupon ? await parts.drawCoupon(key) : null],
      [
        'comprobante',
        kind === linkKinds.receipt ? await receiptOf(sql, parts, { ...key, mailId }) : null,
      ],
    ] as const;
    const attachments = files.flatMap(([name, content]): Attachment[] =>
      content === null
        ? []
        : [{ filename: `${name}-${id}.pdf`, contentType: 'application/pdf', content }],
    );
    return {
      body: withLinks(body, urls),
      headers: {
        'List-Unsubscribe': `<${urls.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
      attachments,
    };
  };

const isLate = (row: PaymentRequestRow, { kind, no }: LetterLink, today: Temporal.PlainDate) => {
  const due = no === 2 ? row.due2 : row.due1;
  const passed = due === null || compareDays(due, today) < 0;
  return kind === linkKinds.reminder && passed;
};

/**
 * Tests for each email whether the payment in it, a request or reminder, is still possible. Other
 * emails pass.
 */
export const payerMailStillPending =
  (business: BusinessClock, readAccount: ReadAccount): StillPending =>
  async (sql, accountId, links) => {
    const own = links.map((link) => (link !== null && kinds.includes(link.kind) ? link : null));
    if (own.every((link) => link === null)) return links.map(() => true);
    const account = await readAccount(accountId);
    const rows = await readRequests(
      sql,
      own.map((link) => ({ accountId, id: link?.id ?? 0 })),
    );
    const requests = rows.map((row) => (row !== null && isPaymentRequest(row) ? row : null));
    const emails = requests.flatMap((row) => row?.details.payer_email ?? []);
    const stops = await stopsOf(sql, accountId, emails);
    const today = business.today();
    return own.map((link, index) => {
      if (link === null || link.kind === linkKinds.receipt) return true;
      const row = requests[index] ?? null;
      if (row === null || account?.state !== 'active') return false;
      const stopped = stops.has(addressOf(row.details.payer_email ?? ''));
      return !stopped && stateOn(row, today) === 'pending' && !isLate(row, link, today);
    });
  };
