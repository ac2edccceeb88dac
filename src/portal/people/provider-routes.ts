import type { UserVerbs } from '../../users/index.ts';
import {
  type Answer,
  nextIn,
  type OpenVisit,
  type Portal,
  type PublicVisit,
} from '../frame/index.ts';

export interface ProviderParts {
  users: Pick<UserVerbs, 'provider' | 'passwords'>;
}

type Verbs = NonNullable<UserVerbs['provider']>;
type Ended = Awaited<ReturnType<Verbs['end']>>;
type Flow = NonNullable<Ended['flow']>;

/**
 * Maximum number of concurrent sign-ins per browser, as in several tabs. One more discards the
 * others.
 */
const mostFlows = 4;

/** Returns the page that began a flow, which also shows a refusal. */
function pageOf({ purpose, invitation }: Pick<Flow, 'purpose' | 'invitation'>): string {
  if (purpose === 'confirm') return '/portal/confirm';
  return purpose === 'sign-in'
    ? '/portal/sign-in'
    : `/portal/invitations/${encodeURIComponent(invitation)}`;
}

const withQuery = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(query)}`;

/** Sends the browser to the provider, or back to the page if the provider is unreachable. */
async function begins(
  { users: { provider } }: ProviderParts,
  { query, lang, flows }: OpenVisit,
  { purpose, invitation = '' }: { purpose: Flow['purpose']; invitation?: string },
  email: string | null = null,
): Promise<Answer> {
  if (provider === null) return { to: '/portal/sign-in' };
  const flow = { purpose, invitation, next: nextIn(query) };
  const begun = await provider.begin(flow, { lang, email });
  if (begun === null) {
    return { to: withQuery(pageOf(flow), { refused: 'unreachable', next: flow.next }) };
  }
  const forgotten = flows.size < mostFlows ? [] : [...flows.keys()];
  return {
    to: begun.to,
    flows: [...forgotten.map((state) => ({ state, text: null })), begun.storedFlow],
  };
}

/** Handles the provider's callback. Always redirects, so that no code stays in an address. */
async function ends({ users: { provider } }: ProviderParts, visit: PublicVisit): Promise<Answer> {
  if (provider === null) return { to: '/portal/sign-in' };
  const { query, flows, browser } = visit;
  const who = await visit.signedIn();
  const { flow, outcome } = await provider.end({ query, flows, browser, who });
  // Going back or reloading repeats the callback, when the session may already be open.
  if (flow === null) return { to: who === null ? '/portal/sign-in?refused=lapsed' : '/portal' };
  const ended = { flows: [{ state: flow.state, text: null }] };
  const next = nextIn(new URLSearchParams({ next: flow.next }));
  switch (outcome.kind) {
    case 'refused': {
      const page = flow.purpose === 'confirm' && who === null ? '/portal/sign-in' : pageOf(flow);
      return { ...ended, to: withQuery(page, { refused: outcome.fault, next }) };
    }
    case 'proved':
      return { ...ended, to: outcome.factorDue ? withQuery(codePath, { next }) : next };
    case 'in': {
      const to = outcome.factorDue ? withQuery(codePath, { next }) : next;
      return { ...ended, to, session: outcome.secret };
    }
  }
}

const codePath = '/portal/sign-in/code';

/** Serves sign-in at the configured OpenID provider. */
export function providerPages(portal: Portal, parts: ProviderParts): void {
  portal.open({ path: '/provider', read: (visit) => begins(parts, visit, { purpose: 'sign-in' }) });
  portal.open({
    path: '/provider/invitations/:token',
    read: (visit) =>
      begins(parts, visit, { purpose: 'invitation', invitation: visit.params.token ?? '' }),
  });
  portal.own({
    path: '/provider/confirm',
    read: (visit) => begins(parts, visit, { purpose: 'confirm' }, visit.user.email),
  });
  portal.open({ path: '/provider/callback', read: (visit) => ends(parts, visit) });
}
