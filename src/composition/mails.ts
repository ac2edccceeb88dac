import path from 'node:path';
import { type Account, emailHeadOf, readAccount } from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import { linkStillPending, signingLinks } from '../mandates/index.ts';
import type { PayerMails } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { EmailHead } from '../platform/mail/layout.ts';
import { countWaitingLetters } from '../platform/mail/outbox.ts';
import { createMailer } from '../platform/mail/send.ts';
import { massPerMinute, type StillPending } from '../platform/mail/take.ts';
import { folderTransport, smtpTransport } from '../platform/mail/transport.ts';
import { isLinkKind, noAccount, peopleLinks } from '../users/index.ts';
import { letterLimitsOf } from './terms.ts';

/**
 * Combines the checks of several entities. Each recognizes its own emails and ignores the others.
 */
const allPending =
  (...nouns: readonly StillPending[]): StillPending =>
  async (sql, accountId, links) => {
    let pending = links.map(() => true);
    for (const noun of nouns) {
      const own = await noun(sql, accountId, links);
      pending = pending.map((one, index) => one && own[index] === true);
    }
    return pending;
  };

/** Returns a function that builds the head of an account's emails to payers, with its logo. */
export const payersHeads =
  (readLogo: (accountId: string, hash: string) => Promise<Buffer | null>) =>
  async (account: Account): Promise<EmailHead> => {
    const { logo } = account.look;
    return emailHeadOf(account, logo ? await readLogo(account.id, logo.hash) : null);
  };

export interface MailParts {
  links: Links;
  payerMails: PayerMails;
  payersHead: ReturnType<typeof payersHeads>;
}

/** An account's emails waiting under its rate limit, and when the last one leaves. */
export interface WaitingLetters {
  count: number;
  /** True if more wait than were counted. */
  isMore: boolean;
  /** Business time. Null if the account has no such limit. */
  until: Temporal.Instant | null;
}

const mostLetters = 100_000;

export function waitingLettersOf({ sql, clocks }: Pick<Base, 'sql' | 'clocks'>, config: Config) {
  const limitsOf = letterLimitsOf(sql, config);
  return async (accountId: string): Promise<WaitingLetters> => {
    const [found, { perMinute }] = await Promise.all([
      countWaitingLetters(sql, accountId, mostLetters + 1),
      limitsOf(accountId),
    ]);
    const count = Math.min(found, mostLetters);
    const minutes = perMinute === 0 ? null : Math.ceil(count / massPerMinute(perMinute));
    return {
      count,
      isMore: found > mostLetters,
      until: minutes === null ? null : clocks.business.now().add({ minutes }),
    };
  };
}

/** Builds the sending of queued emails, through the configured server or into a folder. */
export async function createMails(
  { sql, clocks, log }: Base,
  config: Config,
  { links, payerMails, payersHead }: MailParts,
) {
  const transport = config.SMTP_URL
    ? smtpTransport(config.SMTP_URL, config.MAIL_FROM)
    : await folderTransport(path.join(config.DATA_DIR, 'mail'), config.MAIL_FROM);
  return createMailer(sql, clocks.wall, transport, {
    log,
    business: clocks.business,
    origin: links.origin,
    linkOf: (link) => (isLinkKind(link.kind) ? peopleLinks(links) : signingLinks(links))(link),
    dress: payerMails.dress,
    first: noAccount,
    linkStillPending: allPending(linkStillPending(clocks.business), payerMails.linkStillPending),
    // Only emails with a link for payers or holders show the account's logo. Emails to users have a
    // user's link, or none.
    async headOf(accountId, linkKind) {
      if (linkKind === null || isLinkKind(linkKind)) return null;
      const account = await readAccount(sql, accountId);
      return account && (await payersHead(account));
    },
    limitsOf: letterLimitsOf(sql, config),
  });
}
