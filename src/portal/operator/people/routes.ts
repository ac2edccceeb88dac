import { isEmail } from '../../../kernel/email.ts';
import { Refusal } from '../../../platform/errors.ts';
import {
  nameFault,
  type ServiceRole,
  serviceRoles,
  type User,
  type UserVerbs,
} from '../../../users/index.ts';
import { type Answer, type Portal, portalRefusal, type ServiceVisit } from '../../frame/index.ts';
import { operatorPeopleTexts } from './texts.ts';
import { addPage, type OperatorDraft, peoplePage, personPage } from './views.tsx';

export interface OperatorPeopleParts {
  users: Pick<UserVerbs, 'listOperators' | 'find' | 'invite' | 'changeServiceRole' | 'release'>;
}

const roleIn = ({ posted }: ServiceVisit): ServiceRole | '' =>
  serviceRoles.find((one) => one === posted.get('role')) ?? '';

const textIn = ({ posted }: ServiceVisit, name: string): string => (posted.get(name) ?? '').trim();

function draftIn(visit: ServiceVisit): OperatorDraft {
  const texts = operatorPeopleTexts[visit.lang];
  const email = textIn(visit, 'email');
  const name = textIn(visit, 'name');
  const role = roleIn(visit);
  const faults = [
    nameFault(name) !== null && { field: 'name', label: texts.name, text: texts.nameFault },
    !isEmail(email) && { field: 'email', label: texts.email, text: texts.emailFault },
    role === '' && { field: 'role', label: texts.role, text: texts.roleFault },
  ].filter((one) => one !== false);
  return { email, name, role, faults };
}

/** Invites an operator, or gives the role to an existing user. */
async function adds(visit: ServiceVisit, { users }: OperatorPeopleParts): Promise<Answer> {
  const draft = draftIn(visit);
  const { email, name, role } = draft;
  if (draft.faults.length > 0 || role === '') return addPage(visit, draft);
  const { actor, lang } = visit;
  try {
    await users.invite(actor, { email, name, lang, serviceRole: role, to: null });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const texts = operatorPeopleTexts[lang];
    const isFull = error.kind === 'too_many_requests';
    if (!isFull && error.kind !== 'conflict') throw error;
    const text = isFull ? texts.tooMany : texts.taken;
    return addPage(visit, { ...draft, faults: [{ field: 'email', label: texts.email, text }] });
  }
  return { to: visit.at('/people?sent=1') };
}

async function personOf(visit: ServiceVisit, { users }: OperatorPeopleParts): Promise<User> {
  const people = await users.listOperators();
  const person = people.find(({ id }) => String(id) === visit.params.id);
  if (!person) throw portalRefusal('page.not_found', {});
  return person;
}

/** Changes the role of somebody, or shows what stands in the way. */
async function change(
  visit: ServiceVisit,
  parts: OperatorPeopleParts,
  role: ServiceRole | null,
): Promise<Answer> {
  const person = await personOf(visit, parts);
  try {
    await parts.users.changeServiceRole(visit.actor, { userId: person.id, role });
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'conflict')) throw error;
    const fault = operatorPeopleTexts[visit.lang].last;
    return personPage(visit, { person, fault, status: 409 });
  }
  return { to: visit.at('/people') };
}

/** Lets somebody sign in at once whom wrong passwords keep waiting. */
async function releases(visit: ServiceVisit, { users }: OperatorPeopleParts): Promise<Answer> {
  const texts = operatorPeopleTexts[visit.lang];
  const email = textIn(visit, 'email');
  const user = isEmail(email) ? await users.find(email) : null;
  const people = await users.listOperators();
  if (user === null) return peoplePage(visit, { people, email, fault: texts.nobody });
  const released = await users.release(visit.actor, user);
  return peoplePage(visit, { people, said: released ? texts.released : texts.notWaiting });
}

/** Pages of the operator's users: roles, suspension, release. */
export function operatorPeoplePages(portal: Portal, parts: OperatorPeopleParts): void {
  portal.page({
    act: 'operators.see',
    path: '/people',
    async read(visit) {
      const people = await parts.users.listOperators();
      const said = visit.query.has('sent') ? operatorPeopleTexts[visit.lang].sent : undefined;
      return peoplePage(visit, { people, said });
    },
  });
  const act = 'operators.manage';
  portal.page({
    act,
    path: '/people/new',
    read: async (visit) => addPage(visit, { email: '', name: '', role: '', faults: [] }),
  });
  portal.form({ act, path: '/people/new', does: (visit) => adds(visit, parts) });
  portal.form({ act, path: '/people/release', does: (visit) => releases(visit, parts) });
  portal.page({
    act,
    path: '/people/:id',
    read: async (visit) => personPage(visit, { person: await personOf(visit, parts) }),
  });
  portal.form({
    act,
    path: '/people/:id/role',
    async does(visit) {
      const role = roleIn(visit);
      if (role !== '') return await change(visit, parts, role);
      const fault = operatorPeopleTexts[visit.lang].roleFault;
      return personPage(visit, { person: await personOf(visit, parts), fault, status: 400 });
    },
  });
  portal.form({
    act,
    path: '/people/:id/remove',
    does: (visit) => change(visit, parts, null),
  });
}
