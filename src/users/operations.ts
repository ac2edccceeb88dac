// Longer than 300 lines: each operation on people, with its form and verb.
import type { Account, WaitingLook } from '../accounts/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { accountId, email, oneOf, text } from '../platform/http/fields.ts';
import { optional, required } from '../platform/http/form.ts';
import { listing } from '../platform/listings.ts';
import { operation } from '../platform/operations.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { type AccountRole, accountRoles, serviceRoles } from './acts.ts';
import { refusal } from './codes.ts';
import type { Member } from './listing.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };
import { hasFactor, longestName, type User, type UserState } from './user.ts';

const texts = { en, es };
const ofService = { act: 'operators.manage', texts } as const;
const ofAccount = { act: 'users.manage', texts } as const;

const person = { email: required(email()) };
const invitee = {
  name: required(text({ max: longestName })),
  ...person,
  lang: optional(oneOf(['es', 'en'] as const)),
};
const account = required(accountId());
const role = required(oneOf(accountRoles));

async function mustFind({ sql }: Base, address: string): Promise<User> {
  const { findUser } = await import('./user.ts');
  const user = await findUser(sql, address);
  if (!user) throw refusal('user.not_found', {});
  return user;
}

async function accountNamed({ sql }: Base, id: string): Promise<Account> {
  const { getAccount } = await import('../accounts/index.ts');
  return await getAccount(sql, id);
}

/** `granting` is the role of the member who acts. Absent for the operator. */
type Manager = Base & { granting?: AccountRole | null };

/** Builds an operation's result, which names the user by address. */
const toPerson =
  <O>(member: string) =>
  ({ email: address }: { email: string }, outcome: O) => ({ email: address, [member]: outcome });

/** Lists all users, or an account's members and invited people. */
export const userList = listing({
  name: 'user.list',
  act: 'operators.see',
  account: 'optional',
  whole: true,
  texts,
  async read(
    sql: Sql,
    { account: of }: { account: string | null },
    { clocks }: Base,
  ): Promise<(User & Partial<Member>)[]> {
    const { listUsers, membersOf } = await import('./listing.ts');
    return await (of === null ? listUsers(sql) : membersOf(sql, of, clocks.wall.now()));
  },
  columns: {
    id: { kind: 'text', of: (row) => row.id },
    email: { kind: 'text', of: (row) => row.email },
    name: { kind: 'text', of: (row) => row.name },
    state: { kind: 'choice', of: (row) => row.state },
    service_role: { kind: 'text', of: (row) => row.service_role },
    second_factor: { kind: 'choice', of: (row) => (hasFactor(row) ? 'yes' : 'no') },
    created_at: { kind: 'moment', of: (row) => row.created_at },
    role: { kind: 'text', of: (row) => row.role },
    membership: {
      kind: 'text',
      of: (row) => (row.invitation_lapsed ? 'invitation expired' : row.membership_state),
    },
  },
});

/** Invites a person to work for the service, or grants a user a service role. */
export const userCreating = operation({
  ...ofService,
  name: 'user.create',
  repeat: { again: 'another e-mail, for a user who lost the first' },
  takes: { ...invitee, role: required(oneOf(serviceRoles)) },
  async run(base: Base, { email: address, name, lang, role: serviceRole }, actor) {
    const { invite } = await import('./members.ts');
    const input = { email: address, name, lang: lang ?? 'es', to: null, serviceRole } as const;
    return await invite({ ...base, actor }, input);
  },
  command: {
    arguments: ['email'],
    shows: ({ email: address, role: of }, { id }) => ({ id, email: address, role: of }),
  },
});

export const userInviting = operation({
  ...ofAccount,
  name: 'user.invite',
  repeat: { again: 'another e-mail, for a user who lost the first' },
  takes: { ...invitee, account, role },
  async run(
    { granting = null, ...base }: Manager,
    { email: address, name, lang, account: of, role: as },
    actor,
  ) {
    const { invite } = await import('./members.ts');
    const to = { account: await accountNamed(base, of), role: as, granting };
    const input = { email: address, name, lang: lang ?? 'es', to, serviceRole: null };
    return await invite({ ...base, actor }, input);
  },
  command: {
    arguments: ['email'],
    operator: 'may',
    shows: ({ email: address, account: of, role: as }, { id }) => ({
      id,
      email: address,
      account: of,
      role: as,
    }),
  },
});

/** The same invitation, made by an operator. */
export const operatorInviting = { ...userInviting, act: 'accounts.manage' } as const;

export const memberInvitingAgain = operation({
  ...ofAccount,
  name: 'user.invite-again',
  repeat: { again: 'each letter has a link of its own' },
  takes: { ...person, account },
  async run(base: Base, { email: address, account: of }, actor) {
    const { id: userId } = await mustFind(base, address);
    const { inviteAgain } = await import('./invitations.ts');
    await inviteAgain({ ...base, actor }, { account: await accountNamed(base, of), userId });
  },
});

/** Removes a user's service role. Their roles in accounts stay. */
export const serviceRoleRemoving = operation({
  ...ofService,
  name: 'user.service-remove',
  repeat: 'natural',
  takes: person,
  async run(base: Base, { email: address }, actor) {
    const { id: userId } = await mustFind(base, address);
    const { changeServiceRole } = await import('./service-roles.ts');
    return await changeServiceRole({ ...base, actor }, { userId, role: null });
  },
});

/** Changes or removes a user's service role. Their roles in accounts stay. */
export const serviceRoleChanging = operation({
  ...ofService,
  name: 'user.service-role',
  repeat: 'natural',
  takes: { ...person, role: required(oneOf([...serviceRoles, 'none'] as const)) },
  async run(base: Base, { email: address, role: next }, actor) {
    const { id: userId } = await mustFind(base, address);
    const { changeServiceRole } = await import('./service-roles.ts');
    const change = { userId, role: next === 'none' ? null : next };
    return await changeServiceRole({ ...base, actor }, change);
  },
  command: {
    arguments: ['email'],
    shows: ({ email: address, role: next }, changed) => ({
      email: address,
      role: next === 'none' ? null : next,
      changed,
    }),
  },
});

async function changes(
  { granting = null, ...base }: Manager,
  {
    email: address,
    account: of,
    role: next,
  }: { email: string; account: string; role: string | null },
  actor: Actor,
): Promise<void> {
  const { id: userId } = await mustFind(base, address);
  const known = accountRoles.find((one) => one === next) ?? null;
  const place = await accountNamed(base, of);
  const { changeMember } = await import('./members.ts');
  await changeMember({ ...base, actor }, { account: place, userId, granting, role: known });
}

export const memberChanging = operation({
  ...ofAccount,
  name: 'user.role',
  repeat: 'natural',
  takes: { ...person, account, role },
  run: changes,
  command: {
    arguments: ['email'],
    operator: 'may',
    shows: ({ email: address, account: of, role: as }) => ({
      email: address,
      account: of,
      role: as,
    }),
  },
});

/** Removes a member. An account's last owner stays. */
export const memberRemoving = operation({
  ...ofAccount,
  name: 'user.remove',
  repeat: 'natural',
  takes: { ...person, account },
  run: (manager: Manager, input, actor) => changes(manager, { ...input, role: null }, actor),
  command: {
    arguments: ['email'],
    operator: 'may',
    shows: ({ email: address, account: of }) => ({ email: address, account: of, removed: true }),
  },
});

const standing = (to: 'suspended' | 'active') => ({
  takes: person,
  async run(base: Base, { email: address }: { email: string }, actor: Actor) {
    const { id: userId } = await mustFind(base, address);
    const { setStanding } = await import('./standing.ts');
    return await setStanding({ ...base, actor }, { userId, to });
  },
  command: {
    arguments: ['email'] as const,
    shows: ({ email: address }: { email: string }, changed: UserState | null) => ({
      email: address,
      state: changed ?? to,
      changed: changed !== null,
    }),
  },
});

/** Suspends a user at once and ends their sessions. */
export const userSuspending = operation({
  ...ofService,
  name: 'user.suspend',
  repeat: 'natural',
  ...standing('suspended'),
});

export const userReopening = operation({
  ...ofService,
  name: 'user.reopen',
  repeat: 'natural',
  ...standing('active'),
});

/** Ends a user's wait after too many wrong passwords or codes. */
export const userReleasing = operation({
  ...ofService,
  name: 'user.release',
  repeat: 'natural',
  takes: person,
  async run(base: Base, { email: address }, actor) {
    const { releaseUser } = await import('./standing.ts');
    return await releaseUser({ ...base, actor }, await mustFind(base, address));
  },
  command: { arguments: ['email'], shows: toPerson('released') },
});

export const userSigningOut = operation({
  ...ofService,
  name: 'user.sign-out',
  repeat: 'natural',
  takes: person,
  async run(base: Base, { email: address }, actor) {
    const { signOutUser } = await import('./standing.ts');
    return await signOutUser({ ...base, actor }, await mustFind(base, address));
  },
  command: { arguments: ['email'], shows: toPerson('sessions') },
});

export const userResetting = operation({
  ...ofService,
  name: 'user.reset',
  repeat: { again: 'each letter has a link of its own' },
  takes: person,
  async run(base: Base, { email: address }, actor) {
    const user = await mustFind(base, address);
    if (user.state !== 'active') throw refusal('user.not_active', { state: user.state });
    const { sendReset } = await import('./links.ts');
    return await sendReset({ ...base, actor }, user);
  },
  command: { arguments: ['email'], shows: toPerson('sent') },
});

/** Removes all second factors of a user who lost them and their recovery codes. */
export const factorRemoving = operation({
  ...ofService,
  name: 'user.remove-factor',
  repeat: 'natural',
  takes: person,
  async run(base: Base, { email: address }, actor) {
    const { removeFactor } = await import('./sign-in/factor.ts');
    return await removeFactor({ ...base, actor }, await mustFind(base, address), { all: true });
  },
  command: { arguments: ['email'], shows: toPerson('removed') },
});

/** `issuer` is the configured provider's. Null without a provider. */
type Linker = Base & { issuer: string | null };

/** Returns the issuer as the provider's ID tokens spell it. */
async function issuerOf({ issuer }: Linker): Promise<string> {
  if (issuer === null) throw refusal('provider.none', {});
  const { discover } = await import('./provider/discovery.ts');
  const server = await discover(issuer).catch(() => null);
  if (server === null) throw refusal('provider.away', {});
  return server.issuer;
}

/** Links a person to an identity of a provider that does not verify addresses. */
export const userLinking = operation({
  ...ofService,
  name: 'user.link',
  repeat: 'natural',
  takes: {
    ...person,
    subject: required(text({ max: 255 })),
    issuer: optional(text({ max: 500 })),
  },
  async run(linker: Linker, { email: address, subject, issuer }, actor) {
    const user = await mustFind(linker, address);
    const { linkUser } = await import('./provider/identities.ts');
    const identity = { subject, issuer: issuer ?? (await issuerOf(linker)) };
    return await linkUser({ ...linker, actor }, { user, identity });
  },
  command: { arguments: ['email'], shows: toPerson('linked') },
});

/**
 * Unlinks a person from all providers and ends their sessions. Their next sign-in there links them
 * again, if the provider verifies their address.
 */
export const userUnlinking = operation({
  ...ofService,
  name: 'user.unlink',
  repeat: 'natural',
  takes: person,
  async run(base: Base, { email: address }, actor) {
    const { unlinkIdentities } = await import('./provider/identities.ts');
    return await unlinkIdentities({ ...base, actor }, await mustFind(base, address));
  },
  command: { arguments: ['email'], shows: toPerson('unlinked') },
});

const mostLooks = 1_000;

type NamedLook = WaitingLook & { author: string | null };

async function namedLooks(sql: Sql): Promise<NamedLook[]> {
  const [{ listPendingLooks }, { namesOf }] = await Promise.all([
    import('../accounts/index.ts'),
    import('./listing.ts'),
  ]);
  const waiting = await listPendingLooks(sql, mostLooks);
  const names = await namesOf(
    sql,
    waiting.flatMap(({ asked: { by } }) => (by === null ? [] : [by])),
  );
  return waiting.map((row) => {
    const { by } = row.asked;
    return { ...row, author: by === null ? null : (names.get(by) ?? String(by)) };
  });
}

/** Lists changes to accounts' names, senders and logos that await the operator's approval. */
export const lookList = listing({
  name: 'account.looks',
  act: 'accounts.see',
  whole: true,
  texts,
  read: namedLooks,
  columns: {
    id: { kind: 'text', of: ({ asked }) => asked.id },
    account: { kind: 'text', of: (row) => row.account_id },
    now: { kind: 'text', of: (row) => row.name },
    name: { kind: 'text', of: ({ asked }) => asked.changes.name ?? null },
    legal_name: { kind: 'text', of: ({ asked }) => asked.changes.legal_name ?? null },
    sender: { kind: 'text', of: ({ asked }) => asked.changes.sender ?? null },
    changes: { kind: 'text', of: ({ asked }) => Object.keys(asked.changes).join(' ') },
    asked_by: { kind: 'text', of: (row) => row.author },
    asked_at: { kind: 'text', of: ({ asked }) => asked.at },
  },
});
