import type { Clock } from '../clocks.ts';
import { eachAccount } from '../each-account.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../postgres/connect.ts';
import { type EmailHead, type EmailLogo, emailPage, logoId } from './layout.ts';
import { type EmailLink, linkMark } from './queue.ts';
import {
  accountsWithMails,
  type LetterLimits,
  type StillPending,
  type TakenMail,
  takeMails,
} from './take.ts';

/** Sends through a mail server or into a folder. Throws on failure. */
export type Transport = (mail: {
  recipient: string;
  subject: string;
  body: string;
  /** The same text as HTML. */
  page?: string;
  /** Equal in every attempt, so that mail servers and clients can drop duplicates. */
  messageId: string;
  headers?: Readonly<Record<string, string>>;
  attachments?: readonly Attachment[];
  /** Name and reply address. Default: the service's. */
  head?: EmailHead;
}) => Promise<void>;

export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
  /** Content id for inline use. Without it the file is an attachment. */
  cid?: string;
}

/** Parts of an email that are created when it is sent. */
export interface Dressed {
  body: string;
  headers: Readonly<Record<string, string>>;
  attachments: readonly Attachment[];
}

/** An email to fill in. `attempt` counts from 1. */
export type Dressing = EmailLink & { accountId: string; mailId: number; attempt: number };

/** Fills in an email of its kind. Returns null for other kinds. */
export type Dress = (dressing: Dressing, body: string) => Promise<Dressed | null>;

/** Minutes between attempts. After the last, the email has failed. */
const waits = [1, 5, 30, 120, 480, 1440];

const longestRefusal = 500;

/**
 * Returns the mail server's permanent refusal of this email (5xx, RFC 5321 4.2.1), or null if a
 * retry may succeed. A refusal of our sender or password does not count.
 */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { responseCode, response, command } = error as Error & {
    responseCode?: unknown;
    response?: unknown;
    command?: unknown;
  };
  if (command !== 'RCPT TO' && command !== 'DATA') return null;
  if (typeof responseCode !== 'number' || responseCode < 500 || responseCode > 599) return null;
  const words = typeof response === 'string' ? response : String(responseCode);
  return words.replace(/\s+/g, ' ').slice(0, longestRefusal);
}

export type LinkOf = (link: EmailLink & { accountId: string }) => string;

export interface MailerTerms {
  log: Log;
  /** Origin of the service. Message-IDs contain its host. */
  origin: string;
  linkOf: LinkOf;
  /** Fills in emails with several links or attachments. */
  dress?: Dress;
  /** Clock for sending times. Default: the mailer's own. */
  business?: Clock;
  linkStillPending: StillPending;
  /** Pseudo-account of the service's own emails, which go first. */
  first?: string;
  /** Returns the sender of an email with this kind of link. Returns null for the service. */
  headOf?(accountId: string, linkKind: string | null): Promise<EmailHead | null>;
  /** Returns limits on an account's emails, read for each batch. */
  limitsOf(accountId: string): Promise<LetterLimits>;
}

/** Appends the sender's footer. */
const signed = (body: string, head: EmailHead | null): string =>
  head === null || head.foot.length === 0
    ? body
    : `${body.trimEnd()}\n\n-- \n${[head.sender, ...head.foot].join('\n')}\n`;

/** Adds HTML and a logo to an email in an account's name. */
const withPage = (
  { attachments }: Pick<Dressed, 'attachments'>,
  page: string,
  head: EmailHead,
) => ({
  head,
  page,
  attachments: head.logo
    ? [...attachments, { ...head.logo, filename: logoName(head.logo), cid: logoId }]
    : attachments,
});

const logoName = ({ contentType }: EmailLogo): string =>
  contentType === 'image/png' ? 'logo.png' : 'logo.jpg';

/** Concurrent emails, one connection each. */
const mostUnderWay = 20;
const accountsAtOnce = 10;
/** Accounts per turn, which bounds the wait of a new email. */
const accountsInTurn = 100;

/** Gives accounts turns by id, round robin. */
function turns(): (due: readonly string[]) => string[] {
  let last = '';
  return (due) => {
    const inOrder = due.toSorted();
    const next = inOrder.filter((accountId) => accountId > last);
    const others = inOrder.filter((accountId) => accountId <= last);
    const turn = [...next, ...others].slice(0, accountsInTurn);
    last = turn.at(-1) ?? last;
    return turn;
  };
}

/**
 * Creates a function that sends queued emails. After a crash it may send one twice. It returns the
 * number tried, postponed or dropped, 0 if nothing is due.
 */
export function createMailer(
  sql: Sql,
  clock: Clock,
  transport: Transport,
  {
    log,
    origin,
    linkOf,
    dress,
    business = clock,
    linkStillPending,
    first,
    headOf = async () => null,
    limitsOf,
  }: MailerTerms,
) {
  const { host: domain } = new URL(origin);
  const dressed = async ({ account_id: accountId, body, ...mail }: TakenMail): Promise<Dressed> => {
    const { link_kind: kind, link_id: id, link_no: no } = mail;
    const plain = { headers: {}, attachments: [] };
    if (kind === null || id === null || no === null) return { ...plain, body };
    const link = { accountId, kind, id, no, mailId: mail.id, attempt: mail.attempts };
    const whole = await dress?.(link, body);
    return whole ?? { ...plain, body: body.replaceAll(linkMark, linkOf(link)) };
  };

  const sendOne = async (mail: TakenMail): Promise<void> => {
    const messageId = `<${mail.account_id}.${mail.id}@${domain}>`;
    try {
      const { recipient, subject } = mail;
      const head = await headOf(mail.account_id, mail.link_kind);
      const { body, ...worn } = await dressed(mail);
      await transport({
        ...worn,
        ...(head && withPage(worn, emailPage(body, head, { origin }), head)),
        recipient,
        subject,
        messageId,
        body: signed(body, head),
      });
      await sql`
        update mails set state = 'sent', ended_at = ${business.now()}::timestamptz
        where account_id = ${mail.account_id} and id = ${mail.id}`;
    } catch (error) {
      const refusal = refusalOf(error);
      const wait = refusal === null ? waits[mail.attempts - 1] : undefined;
      log.warn(
        { err: error, mail: messageId },
        wait ? 'an e-mail will be retried' : 'an e-mail failed',
      );
      await sql`
        update mails set state = ${wait ? 'waiting' : 'failed'},
          next_at = ${clock.now().add({ minutes: wait ?? 0 })}::timestamptz,
          ended_at = ${wait ? null : business.now()}::timestamptz, refusal = ${refusal}
        where account_id = ${mail.account_id} and id = ${mail.id}`;
    }
  };
  const sendSome = async (accountId: string, most: number): Promise<number> => {
    const terms = { most, limits: await limitsOf(accountId), linkStillPending };
    const { mails, moved } = await takeMails(sql, accountId, terms, clock.now());
    await Promise.all(mails.map(sendOne));
    return moved;
  };
  const turnOf = turns();
  return async (): Promise<number> => {
    const due = (await accountsWithMails(sql, clock.now())).map((row) => row.account_id);
    let moved =
      first !== undefined && due.includes(first) ? await sendSome(first, mostUnderWay) : 0;
    const accounts = turnOf(due.filter((accountId) => accountId !== first));
    const atOnce = Math.min(accountsAtOnce, accounts.length);
    const how = { atOnce, failed: 'Mails of some accounts could not be sent.' };
    await eachAccount(accounts, how, async (accountId) => {
      const sent = await sendSome(accountId, Math.floor(mostUnderWay / atOnce));
      moved += sent;
    });
    return moved;
  };
}
