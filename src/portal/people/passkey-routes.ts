import { Refusal } from '../../platform/errors.ts';
import { nameFault, type UserVerbs } from '../../users/index.ts';
import { type Answer, idIn, nextIn, type OwnVisit, type Portal } from '../frame/index.ts';
import { codesPage } from './me-views.tsx';
import { minutesOf } from './minutes.ts';
import { passkeyTexts } from './passkey-texts.ts';
import { ceremonyPage } from './passkey-views.tsx';
import { peopleTexts } from './texts.ts';

export interface PasskeyParts {
  users: Pick<UserVerbs, 'passkeys' | 'removePasskey'>;
}

type Verbs = NonNullable<PasskeyParts['users']['passkeys']>;
type Does = (visit: OwnVisit) => Promise<Answer>;

const answerOf = ({ posted }: OwnVisit): string => posted.get('answer') ?? '';

/** Runs passkey verbs if the deployment supports them. Otherwise redirects back. */
const withVerbs =
  (
    { users }: PasskeyParts,
    back: string,
    does: (verbs: Verbs, visit: OwnVisit) => Promise<Answer>,
  ) =>
  async (visit: OwnVisit): Promise<Answer> =>
    users.passkeys === null ? { to: back } : await does(users.passkeys, visit);

interface Showing {
  path: string;
  back: string;
  early?: true;
  take(
    verbs: Verbs,
    who: OwnVisit,
    response: { answer: string; network: string },
  ): ReturnType<Verbs['pass']> | ReturnType<Verbs['prove']>;
}

/** Serves the two steps of a passkey: the challenge, and the browser's answer. */
function showing(portal: Portal, parts: PasskeyParts, { path, back, early, take }: Showing): void {
  const action = `/portal${path}`;
  const ask = async (
    verbs: Verbs,
    visit: OwnVisit,
    more: { fault?: string; status?: number } = {},
  ): Promise<Answer> => {
    const options = await verbs.askToShow(visit);
    const hidden = { next: nextIn(visit.posted) };
    return ceremonyPage(visit, { action, kind: 'show', options, hidden, ...more });
  };
  // A visitor who follows a link or switches the language starts over.
  const read = async () => ({ to: back });
  portal.own({
    ...(early && { early }),
    path: `${path}/begin`,
    read,
    does: withVerbs(parts, back, async (verbs, visit) =>
      visit.user.has_passkey ? await ask(verbs, visit) : { to: back },
    ),
  });
  portal.own({
    ...(early && { early }),
    path,
    read,
    does: withVerbs(parts, back, async (verbs, visit) => {
      const { lang, posted, browser } = visit;
      const response = { answer: answerOf(visit), network: browser.network };
      const outcome = await take(verbs, visit, response);
      switch (outcome.kind) {
        case 'in':
          return { to: nextIn(posted), session: outcome.secret };
        case 'proved':
          return { to: nextIn(posted) };
        case 'too_many': {
          const fault = peopleTexts[lang].tooMany({ minutes: minutesOf(outcome.seconds) });
          return {
            ...(await ask(verbs, visit, { fault, status: 429 })),
            retryAfter: outcome.seconds,
          };
        }
        case 'wrong':
          return await ask(verbs, visit, { fault: passkeyTexts[lang].wrong, status: 403 });
      }
    }),
  });
}

interface Around {
  freshly(does: Does): Does;
  showFactor(visit: OwnVisit, more: { nameFault?: string; status?: number }): Promise<Answer>;
}

const ownPage = '/portal/me/factor';

/** Serves the two steps of adding a passkey: its name, and the browser's answer. */
function adding(portal: Portal, parts: PasskeyParts, { freshly, showFactor }: Around): void {
  const action = '/portal/me/passkeys';
  const read = async () => ({ to: ownPage });
  const ask = async (
    verbs: Verbs,
    visit: OwnVisit,
    { name, fault }: { name: string; fault?: string },
  ): Promise<Answer> => {
    const options = await verbs.askToAdd(visit);
    const status = fault === undefined ? 200 : 400;
    return ceremonyPage(visit, { action, kind: 'add', options, hidden: { name }, fault, status });
  };
  portal.own({
    path: '/me/passkeys/begin',
    read,
    does: freshly(
      withVerbs(parts, ownPage, async (verbs, visit) => {
        const name = (visit.posted.get('name') ?? '').trim();
        if (nameFault(name) === null) return await ask(verbs, visit, { name });
        const { nameFault: fault } = passkeyTexts[visit.lang];
        return await showFactor(visit, { nameFault: fault, status: 400 });
      }),
    ),
  });
  portal.own({
    path: '/me/passkeys',
    read,
    does: freshly(
      withVerbs(parts, ownPage, async (verbs, visit) => {
        const texts = passkeyTexts[visit.lang];
        const name = (visit.posted.get('name') ?? '').trim();
        if (nameFault(name) !== null) {
          return await showFactor(visit, { nameFault: texts.nameFault, status: 400 });
        }
        try {
          const outcome = await verbs.add(visit, { name, answer: answerOf(visit) });
          if (outcome.kind === 'wrong')
            return await ask(verbs, visit, { name, fault: texts.wrong });
          return outcome.codes === null ? { to: ownPage } : codesPage(visit, outcome.codes);
        } catch (error) {
          if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
          return await showFactor(visit, { nameFault: texts.full, status: 409 });
        }
      }),
    ),
  });
}

/** Serves passkeys: sign in, prove identity, add and remove. */
export function passkeyPages(portal: Portal, parts: PasskeyParts, around: Around): void {
  showing(portal, parts, {
    path: '/sign-in/passkey',
    back: '/portal/sign-in/code',
    early: true,
    take: (verbs, who, response) => verbs.pass(who, response),
  });
  showing(portal, parts, {
    path: '/confirm/passkey',
    back: '/portal/confirm',
    take: (verbs, who, response) => verbs.prove(who, response),
  });
  adding(portal, parts, around);
  portal.own({
    path: '/me/passkeys/:id/remove',
    does: around.freshly(async (visit) => {
      const { actor, user } = visit;
      await parts.users.removePasskey(actor, { user, id: idIn(visit) });
      return { to: ownPage };
    }),
  });
}
