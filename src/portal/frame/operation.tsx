import type { ComponentChildren } from 'preact';
import { languages } from '../../language/said.ts';
import { type FieldFaults, type FieldFaultsByName, Refusal } from '../../platform/errors.ts';
import { form, type Members, required } from '../../platform/http/form.ts';
import type { Operation } from '../../platform/operations.ts';
import { type FieldFault, statusOf } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { type FieldValues, Overtaken, seenOf } from '../../platform/seen.ts';
import type { AccountAct, Act, ServiceAct } from '../../users/index.ts';
import { refusal as portalRefusal } from './codes.ts';
import { faultText } from './faults.ts';
import { drawnKey } from './once.ts';
import { type Choices, type Draft, isMany, isTicked, OperationView } from './operation-view.tsx';
import { OvertakenNotice } from './overtaken.tsx';
import type { Portal, VisitFor } from './portal.ts';
import { frameTexts } from './texts.ts';
import { Told } from './told.tsx';
import type { Answer, OwnVisit, Page } from './visit.ts';

/** An operation's place in the portal: its page with its form. */
interface Door<M extends Members, Verb, Outcome, A extends Act> {
  path: string;
  /** The page that contains the form; without it the form has a page of its own, at its address. */
  on?: { path: string; act: A extends AccountAct ? AccountAct : ServiceAct };
  verbOf(visit: VisitFor<A>): Verb;
  /** Members from the page's address, sent as hidden inputs. */
  brought?: readonly (keyof M & string)[];
  /** Members that the visit decides; the form neither shows nor sends them. */
  given?: Readonly<
    Partial<Record<keyof M & string, (visit: VisitFor<A>) => string | Promise<string>>>
  >;
  /** Draws the `:key` of its path, under which the form creates only once. */
  once?(): Promise<number>;
  /** Optional members that this form requires. */
  needs?: readonly (keyof M & string)[];
  initial?(visit: VisitFor<A>): Promise<Readonly<Record<string, string>>>;
  /** Options of choice members; the others are typed. */
  choices?(visit: VisitFor<A>): Promise<Choices>;
  /** Current values, for verbs that check their version, with the labels of changed ones. */
  held?: {
    read(visit: VisitFor<A>): Promise<FieldValues>;
    labels(lang: Lang): Readonly<Record<string, string>>;
  };
  /** Prefix of its fields' ids, to tell apart forms on one page. */
  prefix?: string;
  /** Marks the button as irreversible. */
  grave?: true;
  /** Address of the "cancel" link; without it the form has none. */
  back?(visit: VisitFor<A>): string;
  /** The page around the form. `member` returns the value that the page was opened with. */
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

/** Shows a refusal above the page, not in the form, which a concurrent change may have removed. */
const withDraft = (
  visit: OwnVisit,
  draft: Draft,
  page: Page,
  labels: Readonly<Record<string, string>>,
): Page => ({
  ...page,
  body: (
    <>
      <Refused visit={visit} draft={draft} />
      <OvertakenNotice lang={visit.lang} changed={draft.overtaken ?? null} labels={labels} />
      {page.body}
    </>
  ),
  status: draft.overtaken ? 409 : (draft.refused?.status ?? statusOf(draft.faults ?? [])),
});

function mustHavePage({ name, text }: Pick<Operation, 'name' | 'text'>): void {
  if (languages.some((lang) => text('submit', lang) === null)) {
    throw new Error(`${name} has no page`);
  }
}

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

function membersOf<M extends Members, A extends Act>(
  members: M,
  { path, brought = [], given }: Pick<Door<M, never, unknown, A>, 'path' | 'brought' | 'given'>,
) {
  const names = Object.keys(members);
  const inPath = names.filter((name) => path.includes(`/:${name}`));
  const asked = names.filter(
    (name) => ![...inPath, ...brought].includes(name) && !Object.hasOwn(given ?? {}, name),
  );
  return {
    asked,
    /** Returns the submitted texts, or those that the page was opened with. */
    typedIn({ params, query, posted }: OwnVisit, isSent: boolean): Record<string, string> {
      const sent = isSent ? posted : query;
      return Object.fromEntries([
        ...inPath.map((name) => [name, params[name] ?? '']),
        ...[...brought, ...(isSent ? asked : [])].map((name) => [
          name,
          isMany(members[name]) ? sent.getAll(name).join(',') : (sent.get(name) ?? ''),
        ]),
      ]);
    },
    async givenIn(visit: VisitFor<A>): Promise<Record<string, string>> {
      const all = Object.entries<((visit: VisitFor<A>) => string | Promise<string>) | undefined>(
        given ?? {},
      );
      const found = all.map(async ([name, of]) => [name, (await of?.(visit)) ?? ''] as const);
      return Object.fromEntries(await Promise.all(found));
    },
  };
}

/** Converts members from the format of pages to that of the form. */
const writtenAs = (members: Members, typed: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, { field }]) => {
      const text = (typed[name] ?? '').trim();
      return [name, text === '' ? text : (field.typed ?? String)(text)];
    }),
  );

/** Optional members, some of which a page may require. */
const insisting = <M extends Members>(members: M, needs: readonly string[]): M =>
  ({
    ...members,
    ...Object.fromEntries(
      needs.flatMap((name) => (members[name] ? [[name, required(members[name].field)]] : [])),
    ),
  }) as M;

/** Translates the faults of fields, with the operation's own texts for its page if any. */
function faultsOf(
  { lang }: OwnVisit,
  { text }: Pick<Operation, 'text'>,
  asked: readonly string[],
  { children = {} }: FieldFaults,
): FieldFault[] {
  return Object.entries(children).flatMap(([field, { errors = [] }]) => {
    const [first] = errors;
    if (first === undefined) return [];
    // Users cannot type these, so the page does not exist.
    if (!asked.includes(field)) throw portalRefusal('page.not_found', {});
    const own = text(`${field}.fault`, lang);
    return [{ field, label: text(field, lang) ?? field, text: own ?? faultText(lang, first) }];
  });
}

/** True if the form has every field that a verb refuses. */
function areAsked(children: FieldFaultsByName, asked: readonly string[]): boolean {
  const faulty = Object.entries(children).filter(([, { errors = [] }]) => errors.length > 0);
  return faulty.every(([field]) => asked.includes(field));
}

/** Returns a draft that shows concurrent changes; null for other refusals. */
const overtaking = (error: Refusal): Omit<Draft, 'typed'> | null =>
  error instanceof Overtaken ? { seen: error.seen, overtaken: error.changed } : null;

/** A form that is part of another page. */
export interface OperationForm<A extends Act> {
  /** False if the visitor may not use it. `typed` has the initial values. */
  form(visit: VisitFor<A>, typed?: Readonly<Record<string, string>>): Promise<ComponentChildren>;
}

/** Handles an operation's form; another route serves the page that contains it. */
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

/** Serves an operation as a page with its form, under one act. */
export function operationPages<M extends Members, Verb, Outcome, A extends Act>(
  portal: Portal,
  operation: Operation<M, Verb, Outcome, A>,
  door: Door<M, Verb, Outcome, A>,
): void {
  const { opened, show } = served(portal, operation, door);
  const { act, members } = operation;
  const { path, brought = [], on = { path, act }, once } = door;
  portal.page({
    act: on.act as A,
    path: on.path,
    ...(once && { once }),
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
  const { act } = operation;
  const { path, on = { path, act }, needs = [] } = door;
  mustHavePage(operation);
  const members = insisting(operation.members, needs);
  const taken = form(members, operation.rules);
  const { asked, typedIn, givenIn } = membersOf(members, door);

  const opened = async (visit: VisitFor<A>): Promise<Record<string, string>> => ({
    ...typedIn(visit, false),
    ...(await door.initial?.(visit)),
  });

  const formOf = async (visit: VisitFor<A>, draft: Draft): Promise<ComponentChildren> => {
    if (!visit.may(act as never)) return false;
    const held = draft.seen === undefined ? await door.held?.read(visit) : undefined;
    const part = (name: string) =>
      visit.params[name] ??
      draft.typed[name] ??
      (name === 'key' && door.once ? drawnKey(visit) : '');
    const address = (wanted: string): string =>
      visit.at(wanted.replaceAll(/:(\w+)/g, (_, name: string) => part(name)));
    return (
      <OperationView
        visit={visit}
        of={{ members, text: operation.text }}
        asked={asked}
        brought={door.brought ?? []}
        action={address(path)}
        page={address(on.path)}
        back={door.back?.(visit)}
        grave={door.grave ?? false}
        prefix={door.prefix ?? ''}
        choices={(await door.choices?.(visit)) ?? {}}
        draft={held === undefined ? draft : { ...draft, seen: seenOf(held) }}
      />
    );
  };

  const show = async (visit: VisitFor<A>, draft: Draft): Promise<Page> => {
    const own = await formOf(visit, draft);
    const page = await door.page(visit, own, (name) => draft.typed[name] ?? '');
    return withDraft(visit, draft, page, door.held?.labels(visit.lang) ?? {});
  };

  portal.form({
    act,
    path,
    async does(visit) {
      const typed = typedIn(visit, true);
      const seen = door.held && (visit.posted.get('seen') ?? '');
      // A blank field is empty, a missing one means another form. Checkboxes may all be missing.
      const isSent = (name: string) => visit.posted.has(name) || isTicked(members[name]);
      if (!asked.every(isSent)) throw portalRefusal('form.broken', {});
      const whole = { ...typed, ...(await givenIn(visit)) };
      const read = taken.parse(writtenAs(members, whole));
      const faulty = (found: FieldFaults) =>
        show(visit, { typed, seen, faults: faultsOf(visit, operation, asked, found) });
      if (!read.ok) return await faulty(read);
      try {
        const outcome = await operation.run(door.verbOf(visit), read.value, visit.actor);
        return await door.done(visit, outcome);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // Without fields, the missing entity is the form's subject.
        if (error.kind === 'not_found' && asked.length === 0) throw error;
        const { children } = error;
        if (children && areAsked(children, asked)) return await faulty({ children });
        return await show(visit, { typed, ...(overtaking(error) ?? { seen, refused: error }) });
      }
    },
  });
  return { opened, formOf, show };
}
