import { type Command, InvalidArgumentError } from 'commander';
import { getAccount } from '../accounts/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import {
  accountRoles,
  changeMember,
  changeServiceRole,
  findUser,
  hasFactor,
  invite,
  listUsers,
  membersOf,
  releaseUser,
  removeFactor,
  sendReset,
  serviceRoles,
  setStanding,
  signOutUser,
  type User,
  userRefusal,
} from '../users/index.ts';
import { withBase } from './command.ts';
import { actingFor, changerOption } from './money/operator.ts';
import { type Answering, print, printRows } from './print.ts';

/** One of the words of a list. */
const wordIn =
  <W extends string>(words: readonly W[]) =>
  (text: string): W => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };

const accountRoleIn = wordIn(accountRoles);
const serviceRoleIn = wordIn(serviceRoles);
const serviceRoleOrNoneIn = wordIn([...serviceRoles, 'none'] as const);
const langIn = wordIn(['es', 'en'] as const);

async function mustFind(sql: Sql, email: string): Promise<User> {
  const user = await findUser(sql, email);
  if (!user) throw new Error(`There is no user with the e-mail address ${email}.`);
  return user;
}

interface Membership {
  account: string;
  role: (typeof accountRoles)[number];
  operator?: string;
}

interface Person extends Answering {
  name: string;
  lang: 'es' | 'en';
}

function invitationCommands(users: Command): void {
  users
    .command('create')
    .description('let somebody work for the service; a letter invites or tells them')
    .argument('<email>', 'his e-mail address')
    .requiredOption('--name <name>', 'his name')
    .requiredOption('--role <role>', serviceRoles.join(', '), serviceRoleIn)
    .option('--lang <lang>', 'es, en', langIn, 'es')
    .action((email: string, options: Person & { role: (typeof serviceRoles)[number] }) =>
      withBase('users create', async ({ base, actor }) => {
        const { name, lang, role } = options;
        const input = { email, name, lang, to: null, serviceRole: role };
        const { id } = await invite({ ...base, actor }, input);
        print(`user ${id} gets a letter as ${role}`, { id, email, role }, options);
      }),
    );
  users
    .command('invite')
    .description('let somebody work for an account; a letter invites him')
    .argument('<email>', 'his e-mail address')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--name <name>', 'his name')
    .requiredOption('--role <role>', accountRoles.join(', '), accountRoleIn)
    .option('--lang <lang>', 'es, en', langIn, 'es')
    .option(...changerOption)
    .action((email: string, options: Person & Membership) =>
      withBase('users invite', async ({ base, actor, sql }) => {
        const { name, lang, role } = options;
        const account = await getAccount(sql, options.account);
        const to = { account, role, granting: null };
        const person = { email, name, lang, serviceRole: null };
        const acting = await actingFor({ base, actor }, options.operator);
        const { id } = await invite(acting, { ...person, to });
        const told = { id, email, account: account.id, role };
        print(`user ${id} was invited by a letter`, told, options);
      }),
    );
}

function serviceRoleCommand(users: Command): void {
  users
    .command('service-role')
    .description('give somebody another role of the service, or none; accounts they work for stay')
    .argument('<email>', 'their e-mail address')
    .requiredOption('--role <role>', `${serviceRoles.join(', ')}, none`, serviceRoleOrNoneIn)
    .action(
      (email: string, options: Answering & { role: (typeof serviceRoles)[number] | 'none' }) =>
        withBase('users service-role', async ({ base, actor, sql }) => {
          const { id: userId } = await mustFind(sql, email);
          const role = options.role === 'none' ? null : options.role;
          const changed = await changeServiceRole({ ...base, actor }, { userId, role });
          print(`${email} has the role ${options.role}`, { email, role, changed }, options);
        }),
    );
}

function memberCommands(users: Command): void {
  users
    .command('role')
    .description('give somebody another role for an account')
    .argument('<email>', 'his e-mail address')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--role <role>', accountRoles.join(', '), accountRoleIn)
    .option(...changerOption)
    .action((email: string, options: Answering & Membership) =>
      withBase('users role', async ({ base, actor, sql }) => {
        const { role } = options;
        const account = await getAccount(sql, options.account);
        const { id: userId } = await mustFind(sql, email);
        const acting = await actingFor({ base, actor }, options.operator);
        await changeMember(acting, { account, userId, granting: null, role });
        print(`${email} has the role ${role}`, { email, account: account.id, role }, options);
      }),
    );
  users
    .command('remove')
    .description('let somebody work for an account no more; its last owner stays')
    .argument('<email>', 'his e-mail address')
    .requiredOption('--account <id>', 'the account')
    .option(...changerOption)
    .action((email: string, options: Answering & Omit<Membership, 'role'>) =>
      withBase('users remove', async ({ base, actor, sql }) => {
        const account = await getAccount(sql, options.account);
        const { id: userId } = await mustFind(sql, email);
        const acting = await actingFor({ base, actor }, options.operator);
        await changeMember(acting, { account, userId, granting: null, role: null });
        const told = { email, account: account.id, removed: true };
        print(`${email} does not work for ${account.id} any more`, told, options);
      }),
    );
}

function standingCommands(users: Command): void {
  for (const [name, to, description] of [
    ['suspend', 'suspended', 'keep somebody out at once; his sessions end'],
    ['reopen', 'active', 'let somebody in again'],
  ] as const) {
    users
      .command(name)
      .description(description)
      .argument('<email>', 'his e-mail address')
      .action((email: string, options: Answering) =>
        withBase(`users ${name}`, async ({ base, actor, sql }) => {
          const { id: userId } = await mustFind(sql, email);
          const changed = await setStanding({ ...base, actor }, { userId, to });
          print(`${email} is ${to}`, { email, state: to, changed }, options);
        }),
      );
  }
  users
    .command('release')
    .description('let somebody sign in at once whom wrong passwords keep waiting')
    .argument('<email>', 'their e-mail address')
    .action((email: string, options: Answering) =>
      withBase('users release', async ({ base, actor, sql }) => {
        const released = await releaseUser({ ...base, actor }, await mustFind(sql, email));
        const text = released ? `${email} can sign in at once` : `nothing kept ${email} waiting`;
        print(text, { email, released }, options);
      }),
    );
  users
    .command('sign-out')
    .description('end all sessions of somebody, who may sign in again')
    .argument('<email>', 'their e-mail address')
    .action((email: string, options: Answering) =>
      withBase('users sign-out', async ({ base, actor, sql }) => {
        const sessions = await signOutUser({ ...base, actor }, await mustFind(sql, email));
        print(`${sessions} sessions of ${email} ended`, { email, sessions }, options);
      }),
    );
  users
    .command('reset')
    .description('mail somebody a link with which he chooses a new password')
    .argument('<email>', 'his e-mail address')
    .action((email: string, options: Answering) =>
      withBase('users reset', async ({ base, actor, sql }) => {
        const user = await mustFind(sql, email);
        if (user.state !== 'active') throw userRefusal('user.not_active', { state: user.state });
        await sendReset({ ...base, actor }, user);
        print(`a letter goes to ${email}`, { email }, options);
      }),
    );
  users
    .command('remove-factor')
    .description('take the second factor of somebody away who lost it and its recovery codes')
    .argument('<email>', 'his e-mail address')
    .action((email: string, options: Answering) =>
      withBase('users remove-factor', async ({ base, actor, sql }) => {
        const removed = await removeFactor({ ...base, actor }, await mustFind(sql, email), {
          all: true,
        });
        print(`${email} has no second factor`, { email, removed }, options);
      }),
    );
}

const rowOf = (user: User) => ({
  id: user.id,
  email: user.email,
  name: user.name,
  state: user.state,
  service_role: user.service_role,
  second_factor: hasFactor(user) ? 'yes' : 'no',
  created_at: isoDateTime(user.created_at),
});

export function userCommands(program: Command): void {
  const users = program.command('users').description('people who work in the portal');
  users
    .command('list')
    .description('list everybody, or who works for an account or was invited to')
    .option('--account <id>', 'the account')
    .option('--json', 'as JSON')
    .action((options: { account?: string; json?: boolean }) =>
      withBase('users list', async ({ base, sql }) => {
        if (options.account === undefined) {
          printRows((await listUsers(sql)).map(rowOf), options);
          return;
        }
        const account = await getAccount(sql, options.account);
        const members = await membersOf(sql, account.id, base.clocks.wall.now());
        const rows = members.map((one) => ({
          ...rowOf(one),
          role: one.role,
          membership: one.invitation_lapsed ? 'invitation expired' : one.membership_state,
        }));
        printRows(rows, options);
      }),
    );
  invitationCommands(users);
  serviceRoleCommand(users);
  memberCommands(users);
  standingCommands(users);
}
