import { compareDays } from '../../kernel/dates.ts';
import type { Base } from '../../platform/base.ts';
import type { BusinessClock } from '../../platform/clocks.ts';
import { isConnectionFailure } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import type { EmailLink } from '../../platform/mail/queue.ts';
import type { Dress, Dressing } from '../../platform/mail/send.ts';
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

export const unsubscribeUrl = (links: Links, key: RequestKey): string =>
  `${links.origin}/unsubscribe/${links.tokenOf(key, 'unsubscribe')}`;

/** Returns the URLs in an email about a request. */
export function mailLinks(links: Links, key: RequestKey) {
  const token = links.tokenOf(key);
  return {
    link: checkoutUrl(links, token),
    coupon: links.origin + documentPaths(token).pdfUrl,
    unsubscribe: unsubscribeUrl(links, key),
  };
}

/** Replaces an email's marks with URLs. */
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

/**
 * Draws the receipt that an email is about. Returns null if the email is no longer stored or the
 * payment was reversed.
 */
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

/** Drawings that fail this often are left out, because the email matters more. */
const mostDrawings = 2;

/** Draws the PDF of an email, or null if it has none. */
async function drawnFor(
  { sql }: Pick<Base, 'sql'>,
  parts: DressParts,
  { kind, mailId, ...key }: Omit<Dressing, 'no'>,
): Promise<[string, Buffer | null] | null> {
  if (kind === linkKinds.request_with_coupon) return ['cupon', await parts.drawCoupon(key)];
  if (kind !== linkKinds.receipt) return null;
  return ['comprobante', await receiptOf(sql, parts, { ...key, mailId })];
}

/**
 * Adds links, headers (RFC 8058), coupon and receipt when an email is sent, so that the database
 * stores none of them. Throws if a drawing fails for the first time, or because of the connection.
 * Leaves out a drawing that fails again.
 */
export const dressMail =
  (base: Pick<Base, 'sql' | 'log'>, parts: DressParts): Dress =>
  async (dressing, body) => {
    const { accountId, kind, id, mailId, attempt } = dressing;
    if (!kinds.includes(kind)) return null;
    const key = { accountId, id };
    const urls = mailLinks(parts.links, key);
    const [name, content] =
      (await drawnFor(base, parts, dressing).catch((error: unknown) => {
        if (attempt < mostDrawings || isConnectionFailure(error)) throw error;
        const mail = `${accountId}.${mailId}`;
        base.log.error({ err: error, mail, request: id }, 'an e-mail is sent without its PDF');
        return null;
      })) ?? [];
    return {
      body: withLinks(body, urls),
      headers: {
        'List-Unsubscribe': `<${urls.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        'Auto-Submitted': 'auto-generated',
      },
      attachments: content
        ? [{ filename: `${name}-${id}.pdf`, contentType: 'application/pdf', content }]
        : [],
    };
  };

const isLate = (row: PaymentRequestRow, { kind, no }: EmailLink, today: Temporal.PlainDate) => {
  const due = no === 2 ? row.due2 : row.due1;
  const passed = due === null || compareDays(due, today) < 0;
  return kind === linkKinds.reminder && passed;
};

/**
 * Tests for each email whether it may still be sent. A request or a reminder needs an active
 * account, a payable request and an address that is not stopped, and a reminder a due date that has
 * not passed. Other emails pass.
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
