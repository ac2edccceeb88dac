import qrcode from 'qrcode';
import type { Clocks } from '../../platform/clocks.ts';
import { Refusal } from '../../platform/errors.ts';
import { hasFactor, isFresh, type UserVerbs } from '../../users/index.ts';
import { type Answer, idIn, type OwnVisit, type Portal } from '../frame/index.ts';
import { chosenFault } from './link-routes.ts';
import { codesPage, factorPage, mePage } from './me-views.tsx';
import { minutesOf } from './minutes.ts';
import { type PasskeyParts, passkeyPages } from './passkey-routes.ts';
import { waysOf } from './provider-views.tsx';
import { peopleTexts } from './texts.ts';

export interface MeParts {
  users: Pick<
    UserVerbs,
    | 'membershipsOf'
    | 'listSessions'
    | 'endSession'
    | 'changePassword'
    | 'changeLang'
    | 'pendingFactor'
    | 'beginFactor'
    | 'confirmFactor'
    | 'removeFactor'
    | 'listPasskeys'
    | 'passwords'
    | 'provider'
    | 'providerLink'
    | 'unlinkOwn'
  > &
    PasskeyParts['users'];
  clocks: Clocks;
  sandbox: boolean;
}

/** Requires a fresh proof of identity before users change their own sign-in. */
const freshly =
  ({ clocks }: MeParts, back: string, does: (visit: OwnVisit) => Promise<Answer>) =>
  async (visit: OwnVisit): Promise<Answer> =>
    isFresh(visit.session, clocks.wall.now())
      ? await does(visit)
      : { to: `/portal/confirm?next=${encodeURIComponent(back)}` };

async function showFactor(
  visit: OwnVisit,
  { users, sandbox }: MeParts,
  more: { fault?: string; nameFault?: string; status?: number } = {},
): Promise<Answer> {
  const { user } = visit;
  const [pending, memberships, passkeys] = await Promise.all([
    users.pendingFactor(user),
    users.membershipsOf(user.id),
    users.listPasskeys(user.id),
  ]);
  const roles = [...memberships.map(({ role }) => role), user.service_role];
  const needed = !sandbox && roles.some((role) => role !== null);
  const image = pending && (await qrcode.toDataURL(pending.uri, { margin: 2, width: 440 }));
  const enrolment = pending && image ? { secret: pending.secret, image } : null;
  const offered = users.passkeys !== null;
  return factorPage(visit, { needed, enrolment, passkeys, offered, ...more });
}

/**
 * Requires a fresh proof for a change of second factors. A person without any may add the first one
 * shortly after sign-in, because a provider that does not report when it authenticated them leaves
 * no fresh proof.
 */
const freshlyOrFirst =
  (parts: MeParts, back: string, does: (visit: OwnVisit) => Promise<Answer>) =>
  async (visit: OwnVisit): Promise<Answer> => {
    const { session, user } = visit;
    // If the provider authenticated the person long ago, the session proves too little to add a
    // factor.
    const mayBeFresh = isFresh(session, session.created_at.subtract({ milliseconds: 1 }));
    const isFirst =
      !hasFactor(user) &&
      mayBeFresh &&
      isFresh({ ...session, proved_at: session.created_at }, parts.clocks.wall.now());
    return isFirst ? await does(visit) : await freshly(parts, back, does)(visit);
  };

function factorPages(portal: Portal, parts: MeParts): void {
  const { users } = parts;
  const back = '/portal/me/factor';
  portal.own({
    path: '/me/factor',
    read: freshlyOrFirst(parts, back, (visit) => showFactor(visit, parts)),
    does: freshlyOrFirst(parts, back, async (visit) => {
      const code = visit.posted.get('code') ?? '';
      const confirmed = await users.confirmFactor(visit.actor, { user: visit.user, code });
      if (confirmed.kind === 'added') {
        const { codes } = confirmed;
        return codes === null ? { to: back } : codesPage(visit, codes);
      }
      const fault = peopleTexts[visit.lang].factor.wrong;
      return await showFactor(visit, parts, { fault, status: 400 });
    }),
  });
  portal.own({
    path: '/me/factor/begin',
    does: freshlyOrFirst(parts, back, async (visit) => {
      await users.beginFactor(visit.actor, visit.user);
      return { to: back };
    }),
  });
  portal.own({
    path: '/me/factor/remove',
    does: freshlyOrFirst(parts, back, async (visit) => {
      await users.removeFactor(visit.actor, visit.user);
      return { to: back };
    }),
  });
  passkeyPages(portal, parts, {
    freshly: (does) => freshlyOrFirst(parts, back, does),
    showFactor: (visit, more) => showFactor(visit, parts, more),
  });
}

export function mePages(portal: Portal, parts: MeParts): void {
  const { users } = parts;
  const show = async (visit: OwnVisit, more: { fault?: string; status?: number } = {}) => {
    const { id } = visit.user;
    const [sessions, link] = await Promise.all([users.listSessions(id), users.providerLink(id)]);
    return mePage(visit, {
      sessions,
      link,
      ways: waysOf(users),
      changed: visit.query.has('changed'),
      ...more,
    });
  };
  portal.own({ path: '/me', read: (visit) => show(visit) });
  portal.own({
    path: '/me/language',
    async does({ actor, user, posted }) {
      const lang = posted.get('lang') === 'en' ? 'en' : 'es';
      await users.changeLang(actor, { userId: user.id, lang });
      // `lang` in the address also replaces the browser's choice, which otherwise takes precedence.
      return { to: `/portal/me?lang=${lang}` };
    },
  });
  portal.own({
    path: '/me/password',
    does: freshly(parts, '/portal/me', async (visit) => {
      const fault = chosenFault(visit, visit.user.email);
      if (fault !== undefined) return await show(visit, { fault, status: 400 });
      const password = visit.posted.get('password') ?? '';
      const current = visit.posted.get('current') ?? '';
      const { password: texts, me, tooMany } = peopleTexts[visit.lang];
      const { network, device } = visit.browser;
      try {
        const change = { who: visit, current, password, network, device };
        const changed = await users.changePassword(visit.actor, change);
        if (changed.kind === 'changed') return { to: '/portal/me?changed=1' };
        if (changed.kind === 'wrong')
          return await show(visit, { fault: me.wrongPassword, status: 403 });
        const fault = tooMany({ minutes: minutesOf(changed.seconds) });
        return { ...(await show(visit, { fault, status: 429 })), retryAfter: changed.seconds };
      } catch (error) {
        if (!(error instanceof Refusal && error.errorCode === 'password.used')) throw error;
        return await show(visit, { fault: texts.used, status: 400 });
      }
    }),
  });
  portal.own({
    path: '/me/provider/unlink',
    does: freshly(parts, '/portal/me', async ({ actor, user }) => {
      await users.unlinkOwn(actor, user);
      return { to: '/portal/sign-in', session: null };
    }),
  });
  portal.own({
    path: '/me/sessions/:id/end',
    async does({ actor, user, params }) {
      await users.endSession(actor, { userId: user.id, id: idIn({ params }) });
      return { to: '/portal/me' };
    },
  });
  factorPages(portal, parts);
}
