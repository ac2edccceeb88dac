import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { Vault } from '../platform/vault.ts';
import { type AccessPage, listAccesses, recordAccess } from './accesses.ts';
import { refusal } from './codes.ts';
import { inviteAgain, isLapsed, renewLink } from './invitations.ts';
import { askReset, readLink, useLink } from './links.ts';
import { listOperators, membersOf, namesOf, peopleOf } from './listing.ts';
import { changeMember, type Invitation, invitation, invite, type MemberChange } from './members.ts';
import { membershipsOf, roleOf } from './memberships.ts';
import { ownerNotices } from './notify.ts';
import { linkedAmong, linkOf, unlinkIdentities } from './provider/identities.ts';
import type { ProviderSettings } from './provider/settings.ts';
import { providerVerbs } from './provider/sign-in.ts';
import {
  type FilterPlace,
  forgetFilter,
  type SavedFilter,
  savedFilters,
  saveFilter,
} from './saved-filters.ts';
import { changeServiceRole, type ServiceRoleChange } from './service-roles.ts';
import { beginFactor, confirmFactor, pendingFactor, removeFactor } from './sign-in/factor.ts';
import { passByPasskey, passFactor } from './sign-in/pass-factor.ts';
import { type Site, siteOf } from './sign-in/passkey-answers.ts';
import {
  addPasskey,
  askToAdd,
  askToShow,
  listPasskeys,
  removePasskey,
} from './sign-in/passkeys.ts';
import { createHasher, type PasswordCosts } from './sign-in/password.ts';
import { mayProveByPassword, prove, proveByPasskey } from './sign-in/prove.ts';
import type { SignInRules } from './sign-in/rules.ts';
import { endSession, findSession, listSessions } from './sign-in/sessions.ts';
import { signIn } from './sign-in/sign-in.ts';
import { changeLang, changePassword, type PasswordChange, releaseUser } from './standing.ts';
import { createUser, findUser, type NewUser, type User } from './user.ts';

export interface UserParts {
  vault: Vault;
  links: Links;
  rules: SignInRules;
  passwordCosts?: PasswordCosts | undefined;
  /** The OpenID provider through which people may sign in. Null if there is none. */
  provider?: ProviderSettings | null;
}

const passkeyVerbs = (base: Base, rules: SignInRules, site: Site) => ({
  askToAdd: askToAdd(base, site),
  add: addPasskey(base, site),
  askToShow: askToShow(base, site),
  pass: passByPasskey({ base, rules }, site),
  prove: proveByPasskey({ base, rules }, site),
});

export function createUserVerbs(
  base: Base,
  { vault, links, rules, passwordCosts, provider = null }: UserParts,
) {
  const { sql } = base;
  const site = siteOf(links.origin);
  const hasher = createHasher(passwordCosts);
  const use = useLink(base, hasher, rules);
  const by = (actor: Actor) => ({ ...base, actor });
  return {
    idleMinutes: rules.idleMinutes,
    create: (actor: Actor, input: NewUser) => createUser(by(actor), hasher, input),
    find: (email: string) => findUser(sql, email),
    invite: (actor: Actor, input: Invitation) => invite(by(actor), input),
    invitation: (actor: Actor, input: Invitation) => invitation(by(actor), input),
    changeMember: (actor: Actor, input: MemberChange) => changeMember(by(actor), input),
    inviteAgain: (actor: Actor, input: Parameters<typeof inviteAgain>[1]) =>
      inviteAgain(by(actor), input),
    isLapsed: isLapsed(base, links),
    renewLink: renewLink(base, links),
    changeServiceRole: (actor: Actor, input: ServiceRoleChange) =>
      changeServiceRole(by(actor), input),
    release: (actor: Actor, user: User) => releaseUser(by(actor), user),
    listOperators: () => listOperators(sql),
    membersOf: (accountId: string) => membersOf(sql, accountId, base.clocks.wall.now()),
    peopleOf: (accountId: string) => peopleOf(sql, accountId),
    namesOf: (ids: readonly number[]) => namesOf(sql, ids),
    roleOf: (accountId: string, userId: number) => roleOf(sql, { accountId, userId }),
    membershipsOf: (userId: number) => membershipsOf(sql, userId),
    recordAccess: recordAccess(base),
    listAccesses: (accountId: string | null, page: AccessPage) =>
      listAccesses(sql, accountId, page),
    signIn: signIn(base, { hasher, rules }),
    passFactor: passFactor({ base, rules }, vault),
    prove: prove({ base, rules }, { hasher, vault }),
    mayProveByPassword: mayProveByPassword({ base, rules }),
    findSession: (secret: string) => findSession(base, rules, secret),
    listSessions: (userId: number) => listSessions(base, rules, userId),
    endSession: (actor: Actor, session: { userId: number; id: number }) =>
      endSession(by(actor), session),
    ownerNotices: ownerNotices(base),
    askReset: askReset(base, rules),
    readLink: readLink(base, links),
    useLink: use,
    async changePassword(actor: Actor, input: PasswordChange) {
      if (!rules.passwords) throw refusal('password.off', {});
      return await changePassword(by(actor), { hasher, rules }, input);
    },
    changeLang: (actor: Actor, input: { userId: number; lang: 'es' | 'en' }) =>
      changeLang(by(actor), input),
    savedFilters: (of: FilterPlace) => savedFilters(sql, of),
    saveFilter: (actor: Actor, of: FilterPlace, filter: SavedFilter) =>
      saveFilter(by(actor), of, filter),
    forgetFilter: (actor: Actor, of: FilterPlace, name: string) =>
      forgetFilter(by(actor), of, name),
    pendingFactor: (user: User) => pendingFactor(sql, vault, user),
    beginFactor: (actor: Actor, user: User) => beginFactor(by(actor), vault, user),
    confirmFactor: (actor: Actor, input: { user: User; code: string }) =>
      confirmFactor(by(actor), vault, input),
    removeFactor: (actor: Actor, user: User) => removeFactor(by(actor), user),
    /** Null if none is configured. */
    provider: provider && providerVerbs({ base, rules }, provider, { links, use }),
    providerLink: (userId: number) => linkOf(sql, userId),
    linkedAmong: (ids: readonly number[]) => linkedAmong(sql, ids),
    /** Unlinks a person who keeps a password. */
    async unlinkOwn(actor: Actor, user: User) {
      if (!rules.passwords) throw refusal('provider.only_way', {});
      return await unlinkIdentities(by(actor), user, { keepsPassword: true });
    },
    /** False if people sign in only through the provider. */
    passwords: rules.passwords,
    /** Null if the deployment's address does not support passkeys. */
    passkeys: site && passkeyVerbs(base, rules, site),
    listPasskeys: (userId: number) => listPasskeys(sql, userId),
    removePasskey: (actor: Actor, { user, id }: { user: User; id: number }) =>
      removePasskey(by(actor), user, id),
  };
}

export type UserVerbs = ReturnType<typeof createUserVerbs>;
