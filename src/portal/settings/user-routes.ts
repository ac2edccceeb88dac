import { isEmail } from '../../kernel/email.ts';
import { Refusal } from '../../platform/errors.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import {
  type AccountRole,
  accountRoles,
  type Member,
  nameFault,
  type UserVerbs,
} from '../../users/index.ts';
import { type AccountVisit, type Answer, type Portal, portalRefusal } from '../frame/index.ts';
import { usersTexts } from './texts.ts';
import { type InviteDraft, invitePage, memberPage, usersPage } from './user-views.tsx';

export interface UserPageParts {
  users: Pick<UserVerbs, 'membersOf' | 'invite' | 'inviteAgain' | 'changeMember'>;
}

const roleIn = ({ posted }: AccountVisit): AccountRole | '' =>
  accountRoles.find((one) => one === posted.get('role')) ?? '';

function draftIn(visit: AccountVisit): InviteDraft {
  const texts = usersTexts[visit.lang];
  const email = (visit.posted.get('email') ?? '').trim();
  const name = (visit.posted.get('name') ?? '').trim();
  const role = roleIn(visit);
  const found: (FieldFault | false)[] = [
    nameFault(name) !== null && { field: 'name', label: texts.name, text: texts.nameFault },
    !isEmail(email) && { field: 'email', label: texts.email, text: texts.emailFault },
    role === '' && { field: 'role', label: texts.role, text: texts.roleFault },
  ];
  return { email, name, role, faults: found.filter((one) => one !== false) };
}

const invites =
  ({ users }: UserPageParts) =>
  async (visit: AccountVisit): Promise<Answer> => {
    const draft = draftIn(visit);
    const { email, name, role } = draft;
    if (draft.faults.length > 0 || role === '') return invitePage(visit, draft);
    const { account, actor, lang, role: granting } = visit;
    const person = { email, name, lang, serviceRole: null };
    try {
      await users.invite(actor, { ...person, to: { account, role, granting } });
    } catch (error) {
      const texts = usersTexts[lang];
      if (!(error instanceof Refusal)) throw error;
      const isFull = error.kind === 'too_many_requests';
      if (!isFull && error.kind !== 'conflict') throw error;
      const text = isFull ? texts.tooMany : texts.taken;
      return invitePage(visit, {
        ...draft,
        faults: [{ field: 'email', label: texts.email, text }],
      });
    }
    return { to: visit.at('/settings/users?sent=1') };
  };

async function memberOf(visit: AccountVisit, { users }: UserPageParts): Promise<Member> {
  const members = await users.membersOf(visit.account.id);
  const member = members.find(({ id }) => String(id) === visit.params.id);
  if (!member) throw portalRefusal('page.not_found', {});
  return member;
}

/** Changes somebody, or shows what stands in the way. */
async function change(
  visit: AccountVisit,
  parts: UserPageParts,
  role: AccountRole | null,
): Promise<Answer> {
  const member = await memberOf(visit, parts);
  const { account, actor, role: granting, lang } = visit;
  try {
    await parts.users.changeMember(actor, { account, userId: member.id, granting, role });
  } catch (error) {
    const texts = usersTexts[lang];
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === 'conflict') {
      return memberPage(visit, { member, fault: texts.lastOwner, status: 409 });
    }
    if (error.kind === 'forbidden') {
      return memberPage(visit, { member, fault: texts.onlyOwners, status: 403 });
    }
    throw error;
  }
  return { to: visit.at('/settings/users') };
}

/** Mails an invitation that nobody accepted again. */
async function resends(visit: AccountVisit, parts: UserPageParts): Promise<Answer> {
  const member = await memberOf(visit, parts);
  const { account, actor } = visit;
  try {
    await parts.users.inviteAgain(actor, { account, userId: member.id });
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'too_many_requests')) throw error;
    return memberPage(visit, { member, fault: usersTexts[visit.lang].tooMany, status: 429 });
  }
  return { to: visit.at('/settings/users?sent=1') };
}

/** The account's members. */
export function userPages(portal: Portal, parts: UserPageParts): void {
  portal.page({
    act: 'users.manage',
    path: '/settings/users',
    read: async (visit) =>
      usersPage(visit, {
        members: await parts.users.membersOf(visit.account.id),
        sent: visit.query.has('sent'),
      }),
  });
  portal.page({
    act: 'users.manage',
    path: '/settings/users/new',
    read: async (visit) => invitePage(visit, { email: '', name: '', role: '', faults: [] }),
  });
  portal.form({ act: 'users.manage', path: '/settings/users/new', does: invites(parts) });
  portal.page({
    act: 'users.manage',
    path: '/settings/users/:id',
    read: async (visit) => memberPage(visit, { member: await memberOf(visit, parts) }),
  });
  portal.form({
    act: 'users.manage',
    path: '/settings/users/:id/role',
    async does(visit) {
      const role = roleIn(visit);
      if (role !== '') return await change(visit, parts, role);
      const fault = usersTexts[visit.lang].roleFault;
      return memberPage(visit, { member: await memberOf(visit, parts), fault, status: 400 });
    },
  });
  portal.form({
    act: 'users.manage',
    path: '/settings/users/:id/resend',
    does: (visit) => resends(visit, parts),
  });
  portal.form({
    act: 'users.manage',
    path: '/settings/users/:id/remove',
    does: (visit) => change(visit, parts, null),
  });
}
