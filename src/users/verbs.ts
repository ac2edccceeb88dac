import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { Vault } from '../platform/vault.ts';
import { askReset, readLink, useLink } from './links.ts';
import { membersOf, namesOf } from './listing.ts';
import { changeMember, type Invitation, invite, type MemberChange } from './members.ts';
import { membershipsOf, roleOf } from './memberships.ts';
import {
  type FilterPlace,
  forgetFilter,
  type SavedFilter,
  savedFilters,
  saveFilter,
} from './saved-filters.ts';
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
import { prove, proveByPasskey } from './sign-in/prove.ts';
import { endSession, findSession, listSessions, type SignedIn } from './sign-in/sessions.ts';
import { signIn } from './sign-in/sign-in.ts';
import { changeLang, changePassword } from './standing.ts';
import { ownersTold } from './tell.ts';
import { createUser, findUser, type NewUser, type User } from './user.ts';

export interface UserParts {
  vault: Vault;
  links: Links;
  passwordCosts?: PasswordCosts | undefined;
}

/** What can be done with passkeys where the site can have them. */
const passkeyVerbs = (base: Base, site: Site) => ({
  askToAdd: askToAdd(base, site),
  add: addPasskey(base, site),
  askToShow: askToShow(base, site),
  pass: passByPasskey(base, site),
  prove: proveByPasskey(base, site),
});

/** What can be done with people and their sessions. */
export function createUserVerbs(base: Base, { vault, links, passwordCosts }: UserParts) {
  const { sql } = base;
  const site = siteOf(links.origin);
  const hasher = createHasher(passwordCosts);
  const by = (actor: Actor) => ({ ...base, actor });
  return {
    create: (actor: Actor, input: NewUser) => createUser(by(actor), hasher, input),
    find: (email: string) => findUser(sql, email),
    invite: (actor: Actor, input: Invitation) => invite(by(actor), input),
    changeMember: (actor: Actor, input: MemberChange) => changeMember(by(actor), input),
    membersOf: (accountId: string) => membersOf(sql, accountId),
    namesOf: (ids: readonly number[]) => namesOf(sql, ids),
    roleOf: (accountId: string, userId: number) => roleOf(sql, { accountId, userId }),
    membershipsOf: (userId: number) => membershipsOf(sql, userId),
    signIn: signIn(base, hasher),
    passFactor: passFactor(base, vault),
    prove: prove(base, { hasher, vault }),
    findSession: (secret: string) => findSession(base, secret),
    listSessions: (userId: number) => listSessions(base, userId),
    endSession: (actor: Actor, session: { userId: number; id: number }) =>
      endSession(by(actor), session),
    ownersTold: ownersTold(base),
    askReset: askReset(base),
    readLink: readLink(base, links),
    useLink: useLink(base, hasher),
    changePassword: (actor: Actor, input: { who: SignedIn; password: string }) =>
      changePassword(by(actor), hasher, input),
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
    /** Null where the address of the deployment can have none. */
    passkeys: site && passkeyVerbs(base, site),
    listPasskeys: (userId: number) => listPasskeys(sql, userId),
    removePasskey: (actor: Actor, { user, id }: { user: User; id: number }) =>
      removePasskey(by(actor), user, id),
  };
}

export type UserVerbs = ReturnType<typeof createUserVerbs>;
