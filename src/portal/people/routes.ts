import type { Account } from '../../accounts/index.ts';
import type { UserVerbs } from '../../users/index.ts';
import { type Answer, nextIn, type OpenVisit, type OwnVisit, type Portal } from '../frame/index.ts';
import { type LinkParts, linkPages } from './link-routes.ts';
import { type MeParts, mePages } from './me-routes.ts';
import { minutesOf } from './minutes.ts';
import { type ProviderParts, providerPages } from './provider-routes.ts';
import { refusedIn, waysOf } from './provider-views.tsx';
import { peopleTexts } from './texts.ts';
import { accountsPage, codePage, confirmPage, signInPage } from './views.tsx';

export interface PeopleParts extends LinkParts, MeParts {
  users: LinkParts['users'] &
    MeParts['users'] &
    ProviderParts['users'] &
    Pick<
      UserVerbs,
      'signIn' | 'passFactor' | 'prove' | 'mayProveByPassword' | 'endSession' | 'membershipsOf'
    >;
  readAccount(id: string): Promise<Account | null>;
}

const comesIn =
  ({ users }: PeopleParts) =>
  async (visit: OpenVisit): Promise<Answer> => {
    const { posted, browser, lang } = visit;
    const [email, password] = [posted.get('email') ?? '', posted.get('password') ?? ''];
    const next = nextIn(posted);
    const { network, device } = browser;
    const outcome = await users.signIn({ email, password, browser, network, device });
    const texts = peopleTexts[lang].signIn;
    const model = { email, next, ways: waysOf(users) };
    switch (outcome.kind) {
      case 'in': {
        const { factorDue, secret: session } = outcome;
        const code = `/portal/sign-in/code?next=${encodeURIComponent(next)}`;
        return { to: factorDue ? code : next, session, device: outcome.device };
      }
      case 'too_many': {
        const fault = peopleTexts[lang].tooMany({ minutes: minutesOf(outcome.seconds) });
        const page = signInPage(visit, { ...model, fault, status: 429 });
        return { ...page, retryAfter: outcome.seconds };
      }
      case 'wrong':
        return signInPage(visit, { ...model, fault: texts.wrong, status: 403 });
    }
  };

/** Returns true if the user has a passkey that works here. */
const mayShow = ({ passkeys }: PeopleParts['users'], { user }: OwnVisit): boolean =>
  passkeys !== null && user.has_passkey;

/** Returns what the confirmation page offers the user. */
const confirmModel = async ({ users }: PeopleParts, visit: OwnVisit, from: URLSearchParams) => ({
  next: nextIn(from),
  passkey: mayShow(users, visit),
  ways: { ...waysOf(users), passwords: await users.mayProveByPassword(visit.user) },
});

const provesAgain =
  (parts: PeopleParts) =>
  async (visit: OwnVisit): Promise<Answer> => {
    const { posted, browser, lang } = visit;
    const proof = {
      password: posted.get('password') ?? '',
      code: posted.get('code') ?? '',
      network: browser.network,
    };
    const outcome = await parts.users.prove(visit, proof);
    const { confirm, tooMany } = peopleTexts[lang];
    const model = await confirmModel(parts, visit, posted);
    switch (outcome.kind) {
      case 'proved':
        return { to: model.next };
      case 'too_many': {
        const fault = tooMany({ minutes: minutesOf(outcome.seconds) });
        const page = confirmPage(visit, { ...model, fault, status: 429 });
        return { ...page, retryAfter: outcome.seconds };
      }
      case 'wrong':
        return confirmPage(visit, { ...model, fault: confirm.wrong, status: 403 });
    }
  };

const showsFactor =
  ({ users }: PeopleParts) =>
  async (visit: OwnVisit): Promise<Answer> => {
    const { posted, browser, lang } = visit;
    const next = nextIn(posted);
    const given = { code: posted.get('code') ?? '', network: browser.network };
    const outcome = await users.passFactor(visit, given);
    const { code, tooMany } = peopleTexts[lang];
    const passkey = mayShow(users, visit);
    switch (outcome.kind) {
      case 'in':
        return { to: next, session: outcome.secret };
      case 'too_many': {
        const fault = tooMany({ minutes: minutesOf(outcome.seconds) });
        const page = codePage(visit, { next, fault, status: 429, passkey });
        return { ...page, retryAfter: outcome.seconds };
      }
      case 'wrong':
        return codePage(visit, { next, fault: code.wrong, status: 403, passkey });
    }
  };

/** Serves sign-in, sign-out and the user's accounts. */
export function peoplePages(portal: Portal, parts: PeopleParts): void {
  const { users, readAccount } = parts;
  portal.open({
    path: '/sign-in',
    read: async (visit) =>
      signInPage(visit, {
        email: '',
        next: nextIn(visit.query),
        ways: waysOf(users),
        done: visit.query.has('done'),
        signOutAt: visit.query.has('out')
          ? ((await users.provider?.signOutAt(visit)) ?? null)
          : null,
        ...refusedIn(visit.query, visit.lang),
      }),
    does: comesIn(parts),
  });
  portal.own({
    path: '/sign-in/code',
    early: true,
    read: async (visit) =>
      codePage(visit, { next: nextIn(visit.query), passkey: mayShow(users, visit) }),
    does: showsFactor(parts),
  });
  portal.own({
    path: '/',
    async read(visit) {
      const memberships = await users.membershipsOf(visit.user.id);
      const found = await Promise.all(
        memberships.map(async ({ account_id: id, role }) => {
          const account = await readAccount(id);
          return account === null ? [] : [{ account, role }];
        }),
      );
      const accounts = found.flat();
      const [only] = accounts;
      if (!only && visit.user.service_role !== null) return { to: '/portal/operator' };
      if (only && accounts.length === 1 && visit.user.service_role === null) {
        return { to: `/portal/${only.account.id}` };
      }
      return accountsPage(visit, accounts);
    },
  });
  portal.own({
    path: '/confirm',
    read: async (visit) =>
      confirmPage(visit, {
        ...(await confirmModel(parts, visit, visit.query)),
        ...refusedIn(visit.query, visit.lang),
      }),
    does: provesAgain(parts),
  });
  portal.own({
    path: '/sign-out',
    early: true,
    async does({ actor, session }) {
      const { user_id: userId, id } = session;
      const isLinked = users.provider !== null && (await users.providerLink(userId)) !== null;
      await users.endSession(actor, { userId, id });
      // That page links to the provider. A redirect would fail, because our policy's `form-action`
      // applies to redirects of forms.
      return { to: isLinked ? '/portal/sign-in?out=1' : '/portal/sign-in', session: null };
    },
  });
  providerPages(portal, parts);
  linkPages(portal, parts);
  mePages(portal, parts);
}
