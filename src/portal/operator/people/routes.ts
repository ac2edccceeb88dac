import type { ComponentChildren } from 'preact';
import type { Base } from '../../../platform/base.ts';
import {
  serviceRoleChanging,
  serviceRoleRemoving,
  type User,
  type UserVerbs,
  userCreating,
  userReleasing,
} from '../../../users/index.ts';
import { type Page, type Portal, portalRefusal, type ServiceVisit } from '../../frame/index.ts';
import { type OperationForm, operationForm, operationPages } from '../../frame/operation.tsx';
import { operatorPeopleTexts } from './texts.ts';
import { addPage, peoplePage, personPage, rolesFor } from './views.tsx';

export interface OperatorPeopleParts {
  base: Base;
  users: Pick<UserVerbs, 'listOperators' | 'linkedAmong'>;
}

const act = 'operators.manage';
type Managing = OperationForm<typeof act>;

const done = ({ at }: ServiceVisit) => ({ to: at('/people') });
const back = ({ at }: ServiceVisit) => at('/people');
const choices = async (visit: ServiceVisit) => ({ role: rolesFor(visit) });

/**
 * Serves the page of one of the service's users, with the forms that change or remove their role.
 */
function personPages(portal: Portal, { base, users }: OperatorPeopleParts): void {
  const path = '/people/:id';
  async function personOf({ params }: ServiceVisit): Promise<User> {
    const person = (await users.listOperators()).find(({ id }) => String(id) === params.id);
    if (!person) throw portalRefusal('page.not_found', {});
    return person;
  }
  const show = async (visit: ServiceVisit): Promise<Page> =>
    personPage(visit, {
      person: await personOf(visit),
      role: await changing.form(visit),
      remove: await removing.form(visit),
    });
  const common = {
    on: { path, act },
    fixed: { email: async (visit: ServiceVisit) => (await personOf(visit)).email },
    verbOf: () => base,
    page: show,
    done,
  } as const;
  const changing: Managing = operationForm(portal, serviceRoleChanging, {
    ...common,
    path: `${path}/role`,
    initial: async (visit) => ({ role: (await personOf(visit)).service_role ?? '' }),
    choices,
    back,
  });
  const removing: Managing = operationForm(portal, serviceRoleRemoving, {
    ...common,
    path: `${path}/remove`,
    grave: true,
  });
  portal.page({ act, path, read: show });
}

/** Serves the service's users: invitations, roles, and the release of locked-out ones. */
export function operatorPeoplePages(portal: Portal, parts: OperatorPeopleParts): void {
  const see = 'operators.see';
  const path = '/people';
  const show = async (
    visit: ServiceVisit,
    release: ComponentChildren,
    said?: string,
  ): Promise<Page> => {
    const people = await parts.users.listOperators();
    const linked = await parts.users.linkedAmong(people.map(({ id }) => id));
    return peoplePage(visit, { people, linked, release, said });
  };
  const releasing: Managing = operationForm(portal, userReleasing, {
    path: `${path}/release`,
    on: { path, act: see },
    verbOf: () => parts.base,
    page: (visit, form) => show(visit, form),
    async done(visit, released) {
      const texts = operatorPeopleTexts[visit.lang];
      const said = released ? texts.released : texts.notWaiting;
      return await show(visit, await releasing.form(visit), said);
    },
  });
  portal.page({
    act: see,
    path,
    async read(visit) {
      const said = visit.query.has('sent') ? operatorPeopleTexts[visit.lang].sent : undefined;
      return await show(visit, await releasing.form(visit), said);
    },
  });
  operationPages(portal, userCreating, {
    path: `${path}/new`,
    fixed: { lang: ({ lang }) => lang },
    verbOf: () => parts.base,
    choices,
    back,
    page: async (visit, form) => addPage(visit, form),
    done: ({ at }) => ({ to: at('/people?sent=1') }),
  });
  personPages(portal, parts);
}
