import type { ComponentChildren } from 'preact';
import { languages } from '../../language/said.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Fault, Members } from '../../platform/http/form.ts';
import type { Operation } from '../../platform/operations.ts';
import { type FieldFault, statusOf } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { AccountAct, Act, ServiceAct } from '../../users/index.ts';
import { refusal as portalRefusal } from './codes.ts';
import { faultText } from './faults.ts';
import { type Choices, type Draft, OperationView } from './operation-view.tsx';
import type { Portal, VisitFor } from './portal.ts';
import { frameTexts } from './texts.ts';
import { Told } from './told.tsx';
import type { Answer, OwnVisit, Page } from './visit.ts';

/** An operation's place in the portal: its page, and the form on it. */
interface Door<M extends Members, Verb, Outcome, A extends Act> {
  path: string;
  /** The page that shows the form to those who may; left out: the form has one, at its address. */
  on?: { path: string; act: A extends AccountAct ? AccountAct : ServiceAct };
  verbOf(visit: VisitFor<A>): Verb;
  /** Members that the page was opened with, and nobody types: sent along with the form. */
  brought?: readonly (keyof M & string)[];
  /** The first contents of the fields. */
  initial?(visit: VisitFor<A>): Promise<Readonly<Record<string, string>>>;
  /** The options of members that are chosen; the others are typed. */
  choices?(visit: VisitFor<A>): Promise<Choices>;
  /** It cannot be taken back: its button says so. */
  grave?: true;
  /** The address that "cancel" leads to; left out: the form has no such link. */
  back?(visit: VisitFor<A>): string;
  /** The page around the form. `member`: what the page was opened with. */
  page(
    visit: VisitFor<A>,
    form: ComponentChildren,
    member: (name: string) => string,
  ): Promise<Page>;
  done(visit: VisitFor<A>, outcome: Outcome): Answer | Promise<Answer>;
}

function Refused({ visit: { lang }, draft }: { visit: OwnVisit; draft: Draft }) {
  if (draft.refused === undefined) return null;
  return (
    <Notice tone="bad" title={frameTexts[lang].notDone}>
      <p>
        <Told lang={lang}>{draft.refused}</Told>
      </p>
    </Notice>
  );
}

/** A refusal stands above the page, not in its form: what was decided meanwhile may leave none. */
const withDraft = (visit: OwnVisit, draft: Draft, page: Page): Page => ({
  ...page,
  body: (
    <>
      <Refused visit={visit} draft={draft} />
      {page.body}
    </>
  ),
  status: draft.refused?.status ?? statusOf(draft.faults ?? []),
});

function mustHavePage({ name, text }: Pick<Operation, 'name' | 'text'>): void {
  if (languages.some((lang) => text('submit', lang) === null)) {
    throw new Error(`${name} has no page`);
  }
}

/** True if members that nobody typed can be read. */
const areSound = (
  members: Members,
  names: readonly string[],
  typed: Readonly<Record<string, string>>,
): boolean =>
  names.every((name) => {
    const value = typed[name] ?? '';
    const member = members[name];
    return member?.field.parse(value).ok || (!member?.required && value === '');
  });

/** A form that stands on a page of others. */
export interface OperationForm<A extends Act> {
  /** False: the visitor may not. `typed`: what it is opened with. */
  form(visit: VisitFor<A>, typed?: Readonly<Record<string, string>>): Promise<ComponentChildren>;
}

/** Takes the form of an operation; the page that it stands on is another's. */
export function operationForm<M extends Members, Verb, Outcome, A extends Act>(
  portal: Portal,
  operation: Operation<M, Verb, Outcome, A>,
  door: Door<M, Verb, Outcome, A> & { on: object },
): OperationForm<A> {
  const { opened, formOf } = served(portal, operation, door);
  return {
    form: async (visit, typed = {}) =>
      await formOf(visit, { typed: { ...(await opened(visit)), ...typed } }),
  };
}

/** Serves an operation as a page with its form; both belong to its act. */
export function operationPages<M extends Members, Verb, Outcome, A extends Act>(
  portal: Portal,
  operation: Operation<M, Verb, Outcome, A>,
  door: Door<M, Verb, Outcome, A>,
): void {
  const { opened, show } = served(portal, operation, door);
  const { act, members } = operation;
  const { path, brought = [], on = { path, act } } = door;
  portal.page({
    act: on.act as A,
    path: on.path,
    async read(visit) {
      const typed = await opened(visit);
      if (!areSound(members, brought, typed)) throw portalRefusal('page.not_found', {});
      return await show(visit, { typed });
    },
  });
}

function served<M extends Members, Verb, Outcome, A extends Act>(
  portal: Portal,
  operation: Operation<M, Verb, Outcome, A>,
  door: Door<M, Verb, Outcome, A>,
) {
  const { act, members, text } = operation;
  const { path, brought = [], on = { path, act } } = door;
  mustHavePage(operation);
  const inPath = Object.keys(members).filter((name) => path.includes(`/:${name}`));
  const asked = Object.keys(members).filter((name) => ![...inPath, ...brought].includes(name));

  /** The texts that were sent, or that the page was opened with. */
  const typedIn = (
    { params, query, posted }: OwnVisit,
    isSent: boolean,
  ): Record<string, string> => ({
    ...Object.fromEntries(inPath.map((name) => [name, params[name] ?? ''])),
    ...Object.fromEntries(
      [...brought, ...(isSent ? asked : [])].map((name) => [
        name,
        (isSent ? posted : query).get(name) ?? '',
      ]),
    ),
  });

  const faultsOf = ({ lang }: OwnVisit, { children = {} }: Fault): FieldFault[] =>
    Object.entries(children).flatMap(([field, { errors = [] }]) => {
      const [first] = errors;
      if (first === undefined) return [];
      // Nobody types these: no such page.
      if (!asked.includes(field)) throw portalRefusal('page.not_found', {});
      return [{ field, label: text(field, lang) ?? field, text: faultText(lang, first) }];
    });

  const opened = async (visit: VisitFor<A>): Promise<Record<string, string>> => ({
    ...typedIn(visit, false),
    ...(await door.initial?.(visit)),
  });

  const formOf = async (visit: VisitFor<A>, draft: Draft): Promise<ComponentChildren> => {
    if (!visit.may(act as never)) return false;
    const address = (wanted: string): string =>
      visit.at(wanted.replaceAll(/:(\w+)/g, (_, name: string) => visit.params[name] ?? ''));
    return (
      <OperationView
        visit={visit}
        of={operation}
        asked={asked}
        brought={brought}
        action={address(path)}
        page={address(on.path)}
        back={door.back?.(visit)}
        grave={door.grave ?? false}
        choices={(await door.choices?.(visit)) ?? {}}
        draft={draft}
      />
    );
  };

  const show = async (visit: VisitFor<A>, draft: Draft): Promise<Page> => {
    const page = await door.page(
      visit,
      await formOf(visit, draft),
      (name) => draft.typed[name] ?? '',
    );
    return withDraft(visit, draft, page);
  };

  portal.form({
    act,
    path,
    async does(visit) {
      const typed = typedIn(visit, true);
      // Blank says nothing; left out, it is another form.
      if (!asked.every((name) => visit.posted.has(name))) throw portalRefusal('form.broken', {});
      const written = Object.entries(members).map(([name, { field }]) => [
        name,
        (field.typed ?? String)((typed[name] ?? '').trim()),
      ]);
      const read = operation.form.parse(Object.fromEntries(written));
      if (!read.ok) return await show(visit, { typed, faults: faultsOf(visit, read) });
      try {
        return await door.done(
          visit,
          await operation.run(door.verbOf(visit), read.value, visit.actor),
        );
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
        return await show(visit, { typed, refused: error });
      }
    },
  });
  return { opened, formOf, show };
}
