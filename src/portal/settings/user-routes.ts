import type { Base } from '../../platform/base.ts';
import {
  type Member,
  memberChanging,
  memberInvitingAgain,
  memberRemoving,
  type UserVerbs,
  userInviting,
} from '../../users/index.ts';
import { type AccountVisit, type Page, type Portal, portalRefusal } from '../frame/index.ts';
import { type OperationForm, operationForm, operationPages } from '../frame/operation.tsx';
import { invitePage, memberPage, rolesFor, usersPage } from './user-views.tsx';

export interface UserPageParts {
  base: Base;
  users: Pick<UserVerbs, 'membersOf' | 'linkedAmong'>;
}

const act = 'users.manage';
const sent = ({ at }: AccountVisit) => ({ to: at('/settings/users?sent=1') });
const back = ({ at }: AccountVisit) => at('/settings/users');

/** Serves a member's page, with the forms that change them. */
function memberPages(portal: Portal, parts: UserPageParts): void {
  const path = '/settings/users/:id';
  async function memberOf({ account, params }: AccountVisit): Promise<Member> {
    const members = await parts.users.membersOf(account.id);
    const member = members.find(({ id }) => String(id) === params.id);
    if (!member) throw portalRefusal('page.not_found', {});
    return member;
  }
  type Managing = OperationForm<typeof act>;
  const show = async (visit: AccountVisit): Promise<Page> =>
    memberPage(visit, {
      member: await memberOf(visit),
      role: await changing.form(visit),
      resend: await inviting.form(visit),
      remove: await removing.form(visit),
    });
  const common = {
    on: { path, act },
    fixed: { email: async (visit: AccountVisit) => (await memberOf(visit)).email },
    verbOf: ({ role }: AccountVisit) => ({ ...parts.base, granting: role }),
    page: show,
    done: (visit: AccountVisit) => ({ to: back(visit) }),
  } as const;
  const changing: Managing = operationForm(portal, memberChanging, {
    ...common,
    path: `${path}/role`,
    initial: async (visit) => ({ role: (await memberOf(visit)).role }),
    choices: async (visit) => ({ role: rolesFor(visit) }),
    back,
  });
  const inviting: Managing = operationForm(portal, memberInvitingAgain, {
    ...common,
    path: `${path}/resend`,
    done: sent,
  });
  const removing: Managing = operationForm(portal, memberRemoving, {
    ...common,
    path: `${path}/remove`,
    grave: true,
  });
  portal.page({ act, path, read: show });
}

export function userPages(portal: Portal, parts: UserPageParts): void {
  portal.page({
    act,
    path: '/settings/users',
    async read(visit) {
      const members = await parts.users.membersOf(visit.account.id);
      const linked = await parts.users.linkedAmong(members.map(({ id }) => id));
      return usersPage(visit, { members, linked, sent: visit.query.has('sent') });
    },
  });
  operationPages(portal, userInviting, {
    path: '/settings/users/new',
    fixed: { lang: ({ lang }) => lang },
    verbOf: ({ role }) => ({ ...parts.base, granting: role }),
    choices: async (visit) => ({ role: rolesFor(visit) }),
    back,
    page: async (visit, form) => invitePage(visit, form),
    done: sent,
  });
  memberPages(portal, parts);
}
