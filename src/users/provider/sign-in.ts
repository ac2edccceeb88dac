import { Refusal } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import { recordAccess } from '../accesses.ts';
import { readLink, type useLink } from '../links.ts';
import { noteUser } from '../note.ts';
import { type Browser, isFresh, openSession, type SignedIn } from '../sign-in/sessions.ts';
import type { Weighing } from '../sign-in/show.ts';
import { countTry, forgiveTries } from '../sign-in/tries.ts';
import { emailKeyOf, hasFactor } from '../user.ts';
import {
  type Flow,
  flowText,
  ProviderFailure,
  type Purpose,
  readFlow,
  toleratedSeconds,
} from './flow.ts';
import { type Identified, identify, isLinkedTo, isVouchedFor } from './identities.ts';
import { createProvider, longestSeconds, type Provider, type Reader } from './provider.ts';
import type { Claims, ProviderFault, ProviderSettings } from './settings.ts';

/** A flow as the browser keeps it until the callback. */
interface StoredFlow {
  state: string;
  text: string;
}

export interface Callback {
  query: URLSearchParams;
  /** The flows of this browser, by state. */
  flows: ReadonlyMap<string, string>;
  browser: Browser & { network: string };
  who: SignedIn | null;
}

type Refused = { kind: 'refused'; fault: ProviderFault };
const refused = (fault: ProviderFault): Refused => ({ kind: 'refused', fault });

type Outcome =
  | { kind: 'in'; secret: string; factorDue: boolean }
  /** The signed-in person proved their identity. `factorDue`: the second factor is still due. */
  | { kind: 'proved'; factorDue: boolean }
  | Refused;

/** `flow` is the one that ended, or null if the browser has no current one with this state. */
export type CalledBack = { flow: Flow | null; outcome: Outcome };

interface ProviderParts extends Weighing {
  links: Links;
  use: ReturnType<typeof useLink>;
  provider: Provider;
  settings: ProviderSettings;
}

type Came = Pick<Callback, 'browser'> & { claims: Claims };

const takeIds = async ({ base }: ProviderParts) => {
  // Takes the link's event id before the sign-in's, because events are listed by id.
  const [sessionId = 0, linkedId = 0, eventId = 0, mailId = 0] = await base.recordIds.take(4);
  return { sessionId, eventId, link: { eventId: linkedId, mailId } };
};

/** Opens a session for the user whom the claims identify. */
async function comesIn(
  parts: ProviderParts,
  { claims, browser }: Came,
): Promise<Identified | Outcome> {
  const { base, settings } = parts;
  const { sessionId: id, eventId, link } = await takeIds(parts);
  const now = base.clocks.wall.now();
  const { authenticatedAt } = claims;
  const oldest = now.subtract({ seconds: longestSeconds + toleratedSeconds });
  // Checked here too, because a browser can remove `max_age` from the provider's URL.
  if (authenticatedAt !== null && Temporal.Instant.compare(authenticatedAt, oldest) < 0) {
    return refused('stale');
  }
  return await base.sql.begin(async (tx) => {
    const found = await identify(tx, base, { claims, domains: settings.domains }, link);
    if (found.kind === 'refused') return found;
    const { id: userId } = found.user;
    const factorDue = hasFactor(found.user) && !claims.hasFactor;
    const secret = await openSession(
      tx,
      {
        ...{ id, userId, browser, factorDue },
        provedAt: provedAt(claims, now),
        providerFactor: claims.hasFactor,
      },
      now,
    );
    const acting = { clocks: base.clocks, actor: { kind: 'user', id: userId } } as const;
    const data = {
      session: id,
      address: browser.address,
      factor_due: factorDue,
      provider: claims.issuer,
      provider_factor: claims.hasFactor,
    };
    await noteUser(tx, acting, { eventId, userId, type: 'user.signed_in', data });
    return { kind: 'in', secret, factorDue };
  });
}

/**
 * Returns when the person authenticated at the provider, but never a time after now, whatever the
 * provider's clock says. Null if the claims do not say.
 */
const provedAt = ({ authenticatedAt }: Claims, now: Temporal.Instant): Temporal.Instant | null =>
  authenticatedAt !== null && Temporal.Instant.compare(authenticatedAt, now) > 0
    ? now
    : authenticatedAt;

/**
 * Proves the identity of a signed-in person again. If they have a second factor and the provider
 * vouched for none, it is due next, as at sign-in: until then the session has no rights. Anyone
 * else must have authenticated just now.
 */
async function provesAgain(
  parts: ProviderParts,
  { session, user }: SignedIn,
  { claims }: Came,
): Promise<Identified | Outcome> {
  const { base, settings } = parts;
  const { eventId, link } = await takeIds(parts);
  const { sql, clocks } = base;
  const now = clocks.wall.now();
  return await sql.begin(async (tx) => {
    const identityClaim = { claims, domains: settings.domains, only: user.id };
    const found = await identify(tx, base, identityClaim, link);
    if (found.kind === 'refused') return found;
    const factorDue = hasFactor(found.user) && !claims.hasFactor;
    const proved = provedAt(claims, now) ?? now.subtract({ hours: 24 });
    if (!factorDue && !isFresh({ ...session, proved_at: proved }, now)) {
      return { kind: 'refused', fault: 'stale', user };
    }
    const rows = await tx`
      update user_sessions set factor_due = ${factorDue}, provider_factor = ${claims.hasFactor},
        proved_at = case when ${factorDue}::boolean then proved_at else ${proved}::timestamptz end
      where user_id = ${user.id} and id = ${session.id} returning 1`;
    if (rows.length === 0) return { kind: 'refused', fault: 'lapsed', user };
    if (!factorDue) {
      const acting = { clocks, actor: { kind: 'user', id: user.id } } as const;
      const data = { session: session.id, provider: claims.issuer };
      await noteUser(tx, acting, { eventId, userId: user.id, type: 'user.proved', data });
    }
    return { kind: 'proved', factorDue };
  });
}

/** Accepts an invitation for the person whom it was sent to, then signs them in. */
async function accepts(
  parts: ProviderParts,
  invitation: string,
  came: Came,
): Promise<Identified | Outcome> {
  const { claims, browser } = came;
  const found = await readLink(parts.base, parts.links)(invitation, 'invitation');
  if (found === null) return refused('lapsed');
  const { key, user } = found;
  if (user.state === 'suspended') return refused('suspended');
  // An operator may have linked them, if the provider does not verify addresses.
  if (!(await isLinkedTo(parts.base.sql, claims, user))) {
    if (claims.email === null) return refused('unverified');
    if (!isVouchedFor(claims.email, parts.settings.domains)) return refused('unknown');
    if (emailKeyOf(claims.email) !== emailKeyOf(user.email)) return refused('another');
  }
  try {
    const identity = user.state === 'invited' ? { identity: claims } : {};
    await parts.use({
      key,
      kind: 'invitation',
      password: null,
      network: browser.network,
      ...identity,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refused(error.errorCode === 'provider.taken' ? 'reassigned' : 'lapsed');
  }
  return await comesIn(parts, came);
}

/** Records a failed sign-in, like one with a password. */
async function note(
  { base }: ProviderParts,
  { browser }: Callback,
  { fault, userId }: { fault: ProviderFault; userId: number | null },
): Promise<void> {
  await recordAccess(base)({
    kind: 'sign_in_failed',
    accountId: null,
    userId,
    address: browser.address,
    detail: `provider: ${fault}`,
  });
}

/** Ends a flow: exchanges its code for claims, and the claims for a session or a proof. */
async function ends(parts: ProviderParts, flow: Flow, callback: Callback): Promise<Outcome> {
  const { base, rules, provider } = parts;
  const { query, browser, who } = callback;
  // Limit attempts, because strangers may send any code, and each costs a call to the provider.
  const tried = { address: browser.network, person: null };
  if ((await countTry(base.sql, tried, { now: base.clocks.wall.now(), rules })) !== null) {
    await note(parts, callback, { fault: 'busy', userId: null });
    return refused('busy');
  }
  let claims: Claims;
  try {
    claims = await provider.claimsOf(flow, query, browser.network);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    await note(parts, callback, { fault: error.fault, userId: who?.user.id ?? null });
    return refused(error.fault);
  }
  const came = { claims, browser };
  const outcome = await (flow.purpose === 'invitation'
    ? accepts(parts, flow.invitation, came)
    : flow.purpose === 'sign-in'
      ? comesIn(parts, came)
      : who === null
        ? refused('lapsed')
        : provesAgain(parts, who, came));
  if (outcome.kind === 'in' || outcome.kind === 'proved') {
    await base.sql.begin((tx) => forgiveTries(tx, tried, rules));
    return outcome;
  }
  if (outcome.kind === 'known') throw new Error('an identified person came to nothing');
  const userId = 'user' in outcome ? (outcome.user?.id ?? null) : null;
  await note(parts, callback, { fault: outcome.fault, userId });
  return refused(outcome.fault);
}

export function providerVerbs(
  weighing: Weighing,
  settings: ProviderSettings,
  { links, use }: Pick<ProviderParts, 'links' | 'use'>,
) {
  const { base } = weighing;
  const provider = createProvider(base, settings, `${links.origin}${callbackPath}`);
  const parts = { ...weighing, settings, links, use, provider };
  return {
    name: settings.name,
    /**
     * Returns the URL of the provider's sign-in page, and the flow to store in the browser. Null if
     * the provider is unreachable.
     */
    async begin(
      purpose: Purpose,
      reader: Reader,
    ): Promise<{ to: string; storedFlow: StoredFlow } | null> {
      try {
        const { to, flow } = await provider.begin(purpose, reader);
        return { to, storedFlow: { state: flow.state, text: flowText(flow) } };
      } catch (error) {
        if (error instanceof ProviderFailure) return null;
        throw error;
      }
    },
    signOutAt: (reader: Pick<Reader, 'lang'>) => provider.signOutAt(reader),
    /** Ends the browser's flow whose state the callback's query contains. */
    async end(callback: Callback): Promise<CalledBack> {
      const state = callback.query.get('state') ?? '';
      const text = callback.flows.get(state);
      const flow = text === undefined ? null : readFlow(state, text, base.clocks.wall.nowMs());
      if (flow === null) return { flow, outcome: refused('lapsed') };
      return { flow, outcome: await ends(parts, flow, callback) };
    },
  };
}

/** The path of the redirect URI that the provider knows. */
export const callbackPath = '/portal/provider/callback';

export type ProviderVerbs = ReturnType<typeof providerVerbs>;
