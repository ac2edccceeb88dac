import { isolated, unlinked } from '../kernel/text.ts';
import { catalog } from '../language/catalog.ts';
import type { Links } from '../platform/links.ts';
import { type EmailLink, linkMark, queueMails } from '../platform/mail/queue.ts';
import type { LinkOf } from '../platform/mail/send.ts';
import { momentText } from '../platform/pages/format.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { ServiceRole } from './acts.ts';
import en from './emails.en.json' with { type: 'json' };
import es from './emails.es.json' with { type: 'json' };
import type { User } from './user.ts';

export const linkKinds = ['invitation', 'reset'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** Account id of emails about no account. */
export const noAccount = '00000000';

const paths: Record<LinkKind, string> = {
  invitation: '/portal/invitations',
  reset: '/portal/reset',
};

export const isLinkKind = (kind: string): kind is LinkKind => Object.hasOwn(paths, kind);

/** Returns the URLs that invitations and password-reset emails link to. */
export const peopleLinks =
  (links: Links): LinkOf =>
  ({ accountId, kind, id, no }) => {
    if (!isLinkKind(kind)) throw new Error(`no letter has a link to a ${kind}`);
    return `${links.origin}${paths[kind]}/${links.tokenOf({ accountId, id, no }, kind)}`;
  };

interface Email {
  accountId: string;
  id: number;
  recipient: string;
  subject: string;
  body: string;
  link: EmailLink | null;
}

/** Queues an email in the transaction of its cause. */
export async function queueEmail(
  tx: Queryable,
  letter: Email,
  now: Temporal.Instant,
): Promise<void> {
  const { accountId, id } = letter;
  await tx`
    with named as (select ${accountId}::text as account_id, ${id}::bigint as mail_id),
      ${queueMails(tx, [{ ...letter, counts: false }], 'named', now)}
    select 1`;
}

type Words = Pick<Email, 'subject' | 'body'>;
type Addressee = Pick<User, 'name' | 'lang'>;
type Lang = User['lang'];

const texts = catalog(
  { en, es },
  {
    invitation: { subject: { where: 'text' }, body: { where: 'text', link: 'text' } },
    reset: { body: { whom: 'text', link: 'text' } },
    notice: {
      subject: { place: 'text', fact: 'text' },
      body: { place: 'text', fact: 'text', stop: 'text' },
    },
    stop: { moment: 'text', page: 'text' },
    facts: {
      more_changes: { count: 'count', topic: 'text' },
      look_rejected: { reason: 'text' },
      service_role_changed: { service: 'text' },
      invited: { email: 'text', role: 'text' },
      role_changed: { email: 'text', role: 'text' },
      member_removed: { email: 'text' },
      key_created: { name: 'text' },
      key_revoked: { name: 'text' },
      key_restricted: { name: 'text' },
      key_rotated: { name: 'text' },
      webhook_added: { name: 'text' },
      webhook_changed: { name: 'text' },
      webhook_removed: { name: 'text' },
      webhook_paused: { name: 'text' },
      webhook_resumed: { name: 'text' },
      webhook_secret_changed: { name: 'text' },
      cbu_asked: { cbu: 'text' },
      cbu_canceled: { cbu: 'text' },
      cbu_changed: { cbu: 'text' },
      refunds_limited: { above: 'text' },
      passkey_added: { name: 'text' },
      passkey_removed: { name: 'text' },
      passkey_refused: { name: 'text' },
    },
  },
);

/** Composes an invitation. Omits the person's name, because the inviter typed it. */
export function invitationWords({ lang }: Pick<User, 'lang'>, to: string | null): Words {
  const where = to === null ? 'Recaudo' : unlinked(isolated(to));
  const { subject, body } = texts[lang].invitation;
  return { subject: subject({ where }), body: body({ where, link: linkMark }) };
}

export function resetWords({ name, lang }: Addressee): Words {
  const { subject, body } = texts[lang].reset;
  return { subject, body: body({ whom: unlinked(isolated(name)), link: linkMark }) };
}

/** Notices to an account's owners, or to the user concerned. */
export type Notice =
  | { what: 'password_changed' | 'factor_added' | 'factor_removed' | 'sign_in_waits' }
  | { what: 'provider_linked' }
  | { what: 'look_asked' | 'look_approved' }
  | { what: 'look_rejected'; reason: string }
  | { what: 'invited' | 'role_changed' | 'member_removed'; email: string; role: string }
  | {
      what:
        | 'key_created'
        | 'key_revoked'
        | 'key_restricted'
        | 'key_rotated'
        | 'webhook_added'
        | 'webhook_changed'
        | 'webhook_removed'
        | 'webhook_paused'
        | 'webhook_resumed'
        | 'webhook_secret_changed'
        | 'passkey_added'
        | 'passkey_removed'
        | 'passkey_refused';
      name: string;
    }
  | { what: 'more_changes'; topic: keyof typeof en.topics; count: number }
  | { what: 'service_role_changed'; service: ServiceRole | null }
  | { what: 'refunds_limited'; above: string | null }
  | { what: 'cbu_canceled' | 'cbu_changed'; cbu: string | null }
  | { what: 'cbu_asked'; cbu: string; at: Temporal.Instant; page: string };

function factOf(lang: Lang, notice: Notice): string {
  const { facts, topics } = texts[lang];
  if ('email' in notice) {
    return facts[notice.what]({ email: isolated(notice.email), role: notice.role });
  }
  if ('count' in notice) {
    return facts[notice.what]({ count: notice.count, topic: topics[notice.topic] });
  }
  if ('service' in notice) {
    const { service } = notice;
    return service === null ? facts.service_role_ended : facts[notice.what]({ service });
  }
  if ('name' in notice) return facts[notice.what]({ name: unlinked(isolated(notice.name)) });
  if ('reason' in notice) return facts[notice.what]({ reason: unlinked(isolated(notice.reason)) });
  if ('above' in notice) {
    const { above } = notice;
    return above === null ? facts.refunds_unlimited : facts[notice.what]({ above });
  }
  if ('cbu' in notice) {
    const { cbu } = notice;
    return cbu === null ? facts.cbu_removed : facts[notice.what]({ cbu: cbu.slice(-4) });
  }
  return facts[notice.what];
}

/** Returns the sentence about how to stop the change, or '' if the reader cannot. */
function stopOf(lang: Lang, notice: Notice): string {
  if (notice.what !== 'cbu_asked') return '';
  return texts[lang].stop({ moment: momentText(lang, notice.at), page: notice.page });
}

export function noticeWords({ lang }: Addressee, notice: Notice, where: string): Words {
  const fact = factOf(lang, notice);
  const place = unlinked(isolated(where));
  const { subject, body } = texts[lang].notice;
  return {
    subject: subject({ place, fact }),
    body: body({ place, fact, stop: stopOf(lang, notice) }),
  };
}
