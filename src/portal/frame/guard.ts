import type { Account } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clocks.ts';
import {
  type AccountRole,
  type Act,
  hasFactor,
  isAccountAct,
  isFresh,
  mayDo,
  ruleOf,
  type ServiceRole,
  type SignedIn,
  type UserVerbs,
} from '../../users/index.ts';

export interface GuardParts {
  users: Pick<UserVerbs, 'roleOf'>;
  readAccount(id: string): Promise<Account | null>;
  wall: Clock;
  /** The second factor is optional in the sandbox. */
  sandbox: boolean;
}

/** Result of checking an act. */
export type Admission =
  /** For this visitor the page does not exist, whether or not it really does. */
  | { kind: 'unknown' }
  | { kind: 'forbidden' }
  | { kind: 'suspended' | 'closed' }
  /** Requires a fresh proof of identity. */
  | { kind: 'stale' }
  /** Requires a second factor, ours or the provider's, as for every user in production. */
  | { kind: 'factor' }
  | { kind: 'account'; account: Account; role: AccountRole }
  | { kind: 'service'; role: ServiceRole };

/** Returns the obstacle in an account's state, or null. */
export function stateFault(act: Act, { state }: Account): 'suspended' | 'closed' | null {
  const required = ruleOf(act).account;
  if (required === undefined || state === 'active') return null;
  return state === 'suspended' && required === 'open' ? null : state;
}

/** An obstacle to an act, found while a page is read. */
export class NotAdmitted extends Error {
  readonly kind: 'forbidden' | 'suspended' | 'closed';

  constructor(kind: NotAdmitted['kind']) {
    super(kind);
    this.kind = kind;
  }
}

/** Throws unless a visitor of the account may perform an act. */
export function refuseUnlessAdmitted(
  { role, account }: { role: AccountRole; account: Account },
  act: Act,
): void {
  if (!mayDo(role, act)) throw new NotAdmitted('forbidden');
  const fault = stateFault(act, account);
  if (fault !== null) throw new NotAdmitted(fault);
}

const idShape = /^[0-9A-F]{8}$/;

export function createGuard({ users, readAccount, wall, sandbox }: GuardParts) {
  const stale = (act: Act, { session }: SignedIn): boolean =>
    ruleOf(act).fresh === true && !isFresh(session, wall.now());

  const bare = ({ user, session }: SignedIn): boolean =>
    !sandbox && !hasFactor(user) && !session.provider_factor;

  async function forAccount(who: SignedIn, act: Act, accountId: string): Promise<Admission> {
    if (!idShape.test(accountId)) return { kind: 'unknown' };
    const [role, account] = await Promise.all([
      users.roleOf(accountId, who.user.id),
      readAccount(accountId),
    ]);
    if (role === null || account === null) return { kind: 'unknown' };
    if (bare(who)) return { kind: 'factor' };
    if (!mayDo(role, act)) return { kind: 'forbidden' };
    const fault = stateFault(act, account);
    if (fault !== null) return { kind: fault };
    return stale(act, who) ? { kind: 'stale' } : { kind: 'account', account, role };
  }

  function forService(who: SignedIn, act: Act): Admission {
    const { service_role: role } = who.user;
    if (role === null) return { kind: 'unknown' };
    if (bare(who)) return { kind: 'factor' };
    if (!mayDo(role, act)) return { kind: 'forbidden' };
    return stale(act, who) ? { kind: 'stale' } : { kind: 'service', role };
  }

  return async (who: SignedIn, act: Act, accountId: string): Promise<Admission> =>
    isAccountAct(act) ? await forAccount(who, act, accountId) : forService(who, act);
}

export type Guard = ReturnType<typeof createGuard>;
