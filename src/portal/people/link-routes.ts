import type { Account } from '../../accounts/index.ts';
import { Refusal } from '../../platform/errors.ts';
import { passwordFault, type UserVerbs } from '../../users/index.ts';
import type { Answer, OpenVisit, Page, Portal } from '../frame/index.ts';
import { forgotPage, gonePage, lapsedPage, linkPage, suspendedPage } from './link-views.tsx';
import { minutesOf } from './minutes.ts';
import { refusedIn, waysOf } from './provider-views.tsx';
import { peopleTexts } from './texts.ts';

export interface LinkParts {
  users: Pick<UserVerbs, 'askReset' | 'readLink' | 'useLink' | 'isLapsed' | 'renewLink'> &
    Pick<UserVerbs, 'provider' | 'passwords'>;
  readAccount(id: string): Promise<Account | null>;
}

type Kind = 'invitation' | 'reset';

/** Returns the fault of a new password and its repetition, or undefined. */
export function chosenFault(
  { lang, posted }: Pick<OpenVisit, 'lang' | 'posted'>,
  email: string,
): string | undefined {
  const { password: texts, link } = peopleTexts[lang];
  const password = posted.get('password') ?? '';
  const fault = passwordFault(password, email);
  if (fault !== null) return texts[fault];
  return password === posted.get('again') ? undefined : link.different;
}

/** Renders the page of a dead link. An expired invitation can be mailed again. */
async function gone(visit: OpenVisit, { users }: LinkParts, kind: Kind): Promise<Page> {
  const lapsed = kind === 'invitation' && (await users.isLapsed(visit.params.token ?? ''));
  return lapsed ? lapsedPage(visit, { sent: false }) : gonePage(visit);
}

/** Mails a new link for an expired invitation. The response is the same if too many were sent. */
async function renews(visit: OpenVisit, { users, readAccount }: LinkParts): Promise<Page> {
  const nameOf = async (id: string) => (await readAccount(id))?.name ?? null;
  try {
    await users.renewLink(visit.params.token ?? '', nameOf);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === 'not_found') return gonePage(visit);
  }
  return lapsedPage(visit, { sent: true });
}

const takes =
  ({ users, ...parts }: LinkParts, kind: Kind) =>
  async (visit: OpenVisit): Promise<Answer> => {
    const found = await users.readLink(visit.params.token ?? '', kind);
    if (found === null) {
      const lapsed = kind === 'invitation' && (await users.isLapsed(visit.params.token ?? ''));
      return lapsed ? await renews(visit, { users, ...parts }) : gonePage(visit);
    }
    const { key, user } = found;
    if (user.state === 'suspended') return suspendedPage(visit);
    const chooses = kind === 'reset' || user.state === 'invited';
    const ways = waysOf(users);
    const fault = chooses ? chosenFault(visit, user.email) : undefined;
    if (fault !== undefined) {
      return linkPage(visit, { kind, email: user.email, chooses, ways, fault, status: 400 });
    }
    const password = chooses ? (visit.posted.get('password') ?? '') : null;
    try {
      await users.useLink({ key, kind, password, network: visit.browser.network });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.errorCode === 'password.used') {
        const { used } = peopleTexts[visit.lang].password;
        const model = { kind, email: user.email, chooses, ways };
        return linkPage(visit, { ...model, fault: used, status: 400 });
      }
      if (error.errorCode === 'link.user_suspended') return suspendedPage(visit);
      // A concurrent call was first, or the invitation was withdrawn.
      if (error.kind !== 'too_many_requests') return gonePage(visit);
      throw error;
    }
    return { to: '/portal/sign-in?done=1', session: null };
  };

/**
 * Serves the targets of links in emails, and requests for such emails. Opening a link does not
 * consume it, because mail scanners open links.
 */
export function linkPages(portal: Portal, parts: LinkParts): void {
  const { users } = parts;
  portal.open({
    path: '/forgot',
    read: async (visit) =>
      users.passwords
        ? forgotPage(visit, { sent: visit.query.has('sent') })
        : { to: '/portal/sign-in' },
    async does(visit) {
      if (!users.passwords) return { to: '/portal/sign-in' };
      const { posted, browser, lang } = visit;
      const email = posted.get('email') ?? '';
      const seconds = await users.askReset({ email, network: browser.network });
      if (seconds === null) return { to: '/portal/forgot?sent=1' };
      const fault = peopleTexts[lang].tooMany({ minutes: minutesOf(seconds) });
      return { ...forgotPage(visit, { fault, status: 429 }), retryAfter: seconds };
    },
  });
  for (const [kind, path] of [
    ['invitation', '/invitations/:token'],
    ['reset', '/reset/:token'],
  ] as const) {
    portal.open({
      path,
      async read(visit) {
        const found = await users.readLink(visit.params.token ?? '', kind);
        if (found === null) return await gone(visit, parts, kind);
        if (found.user.state === 'suspended') return suspendedPage(visit);
        if (kind === 'reset' && !users.passwords) return { to: '/portal/sign-in' };
        const { email, state } = found.user;
        const chooses = kind === 'reset' || state === 'invited';
        const model = { kind, email, chooses, ways: waysOf(users) };
        return linkPage(visit, { ...model, ...refusedIn(visit.query, visit.lang) });
      },
      does: takes(parts, kind),
    });
  }
}
