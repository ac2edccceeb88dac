import type { ComponentChildren } from 'preact';
import { languages } from '../../language/localized-text.ts';
import { type FieldFaults, Refusal } from '../../platform/errors.ts';
import { type FieldValues, formVersion, OutdatedForm } from '../../platform/form-version.ts';
import { retryAfterOf } from '../../platform/http/answers.ts';
import { line } from '../../platform/http/fields.ts';
import { form, type Members, required } from '../../platform/http/form.ts';
import type { Operation } from '../../platform/operations.ts';
import { statusOf } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { Lang } from '../../platform/pages/model.ts';
import { type AccountAct, type Act, isAccountAct, type ServiceAct } from '../../users/index.ts';
import { refusal as portalRefusal } from './codes.ts';
import { Message } from './message.tsx';
import { drawnKey } from './once.ts';
import {
  areFields,
  areSound,
  type FixedMembers,
  faultsOf,
  insisting,
  membersOf,
  writtenAs,
} from './operation-members.ts';
import { type Choices, type Draft, isTicked, OperationView, Question } from './operation-view.tsx';
import { OutdatedFormNotice } from './overtaken.tsx';
import type { Portal, VisitFor } from './portal.ts';
import { frameTexts } from './texts.ts';
import type { AccountVisit, Answer, OwnVisit, Page } from './visit.ts';

/** Current values of a form, for verbs that check its version. */
interface CurrentValues<V> {
  read(visit: V): Promise<FieldValues>;
  /** Default: labels of the members. */
  labels?(lang: Lang): Readonly<Record<string, string>>;
  /** Formats values that are not plain text. */
  shows?(lang: Lang): Readonly<Record<string, (text: string) => string>>;
}

/** Place of an operation in the portal. */
interface Door<M extends Members, Verb, Outcome, A extends Act> {
  path: string;
  /** The page that contains the form. Default: a separate page at the form's address. */
  on?: { path: string; act: A extends AccountAct ? AccountAct : ServiceAct };
  verbOf(visit: VisitFor<A>): Verb;
  /** Members from the page's address, sent as hidden inputs. */
  brought?: readonly (keyof M & string)[];
  /**
   * Members whose values follow from the visit. The form neither shows nor sends them. Acts of an
   * account receive its `account`.
   */
  fixed?: FixedMembers<M, VisitFor<A>>;
  /** Generates the `:key` of the path, with which the form creates only once. */
  once?(): Promise<number> | string;
  /** Optional members that this form requires. */
  needs?: readonly (keyof M & string)[];
  /** A member that visitors must type again, into `typed`. */
  confirms?: keyof M & string;
  initial?(visit: VisitFor<A>): Promise<Readonly<Record<string, string>>>;
  /** Options of choice members. Members without options are text fields. */
  choices?(visit: VisitFor<A>): Promise<Choices>;
  current?: CurrentValues<VisitFor<A>>;
  /** Prefix of field ids, for pages with several forms. */
  prefix?: string;
  /** Marks the button as irreversible. */
  grave?: boolean;
  /** Address of the "cancel" link. Without it, the form has none. */
  back?(visit: VisitFor<A>): string;
  /** Returns where to redirect if the form is pointless now, or null. */
  instead?(visit: VisitFor<A>): Promise<string | null>;
  /**
   * Renders the page around the form. `member` returns the value from the page's address. Default:
   * a confirmation with the operation's `title` and `lead`.
   */
  page?(
    visit: VisitFor<A>,
    form: ComponentChildren,
    member: (name: string) => string,
  ): Promise<Page>;
  /** Names the subject of the confirmation. */
  subject?(visit: VisitFor<A>): Promise<string>;
  /**
   * Returns where to go after success. Default: the target of the "cancel" link, or the page that
   * contains the form.
   */
  done?(visit: VisitFor<A>, outcome: Outcome): Answer | Promise<Answer>;
}

interface RefusedProps {
  visit: OwnVisit;
  draft: Draft;
  text: Operation['text'];
}

function Refused({ visit: { lang }, draft: { refused }, text }: RefusedProps) {
  if (refused === undefined) return null;
  const own = refused.kind === 'conflict' ? text('refused', lang) : null;
  return (
    <Notice
      tone="bad"
      title={frameTexts[lang].notDone}
      text={own ?? <Message lang={lang}>{refused}</Message>}
    />
  );
}

/** Shows a refusal above the page, because a concurrent change may have removed the form. */
const withDraft = (
  visit: OwnVisit,
  draft: Draft,
  page: Page,
  { members, text }: Pick<Operation, 'members' | 'text'>,
  current?: Pick<CurrentValues<never>, 'labels' | 'shows'>,
): Page => {
  const { lang } = visit;
  const names = Object.keys(members).map((name) => [name, text(name, lang) ?? name] as const);
  return {
    ...page,
    body: (
      <>
        <Refused visit={visit} draft={draft} text={text} />
        <OutdatedFormNotice
          lang={lang}
          changed={draft.overtaken ?? null}
          labels={current?.labels?.(lang) ?? Object.fromEntries(names)}
          shows={current?.shows?.(lang) ?? {}}
        />
        {page.body}
      </>
    ),
    status: draft.overtaken ? 409 : (draft.refused?.status ?? statusOf(draft.faults ?? [])),
    retryAfter: draft.refused ? retryAfterOf(draft.refused.status, draft.refused) : null,
  };
};

function mustHavePage({ name, text }: Pick<Operation, 'name' | 'text'>): void {
  if (languages.some((lang) => text('submit', lang) === null)) {
    throw new Error(`${name} has no page`);
  }
}

/** Returns a draft that shows concurrent changes, or null for other refusals. */
const overtaking = (error: Refusal): Omit<Draft, 'input'> | null =>
  error instanceof OutdatedForm ? { seen: error.seen, overtaken: error.changed } : null;

const accountOf = (visit: OwnVisit): string => (visit as AccountVisit).account.id;

/** Renders the confirmation page of an operation without a hand-written page. */
function questionOf(
  { lang }: OwnVisit,
  { text }: Pick<Operation, 'text'>,
  form: ComponentChildren,
  subject: string | undefined,
): Page {
  const title = text('title', lang) ?? text('submit', lang) ?? '';
  const lead = text('lead', lang);
  return { title, body: <Question {...{ title, lead, subject, form }} /> };
}

/** A form that is part of another page. */
export interface OperationForm<A extends Act> {
  /** Returns false if the visitor may not use it. `input` contains the initial values. */
  form(visit: VisitFor<A>, input?: Readonly<Record<string, string>>): Promise<ComponentChildren>;
}

/** Handles an operation's form. Another route serves the page that contains it. */
export function operationForm<M extends Members, Verb, Outcome, A extends Act>(
  portal: Portal,
  operation: Operation<M, Verb, Outcome, A>,
  door: Door<M, Verb, Outcome, A> & { on: object },
): OperationForm<A> {
  const { opened, formOf } = served(portal, operation, door);
  return {
    form: async (visit, input = {}) =>
      await formOf(visit, { input: { ...(await opened(visit)), ...input } }),
  };
}

/** Serves an operation as a page with its form. */
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
      const input = await opened(visit);
      if (!areSound(members, brought, input)) throw portalRefusal('page.not_found', {});
      const elsewhere = await door.instead?.(visit);
      if (elsewhere != null) return { to: elsewhere };
      return await show(visit, { input });
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
  const { confirms } = door;
  const members = {
    ...insisting(operation.members, needs),
    ...(confirms && { typed: required(line({ max: 100 })) }),
  } as M;
  const taken = form(members, operation.rules);
  const fixed = {
    ...(isAccountAct(act) && 'account' in members && { account: accountOf }),
    ...door.fixed,
  } as FixedMembers<M, VisitFor<A>>;
  const { fields, inputIn, fixedIn } = membersOf(members, { ...door, fixed });

  const opened = async (visit: VisitFor<A>): Promise<Record<string, string>> => ({
    ...inputIn(visit, false),
    ...(await door.initial?.(visit)),
  });

  const addressIn = (visit: VisitFor<A>, input: Draft['input'], template: string): string => {
    const part = (name: string) =>
      visit.params[name] ?? input[name] ?? (name === 'key' && door.once ? drawnKey(visit) : '');
    return visit.at(template.replaceAll(/:(\w+)/g, (_, name: string) => part(name)));
  };

  const formOf = async (visit: VisitFor<A>, draft: Draft): Promise<ComponentChildren> => {
    if (!visit.may(act as never)) return false;
    const current = draft.seen === undefined ? await door.current?.read(visit) : undefined;
    const address = (template: string): string => addressIn(visit, draft.input, template);
    return (
      <OperationView
        visit={visit}
        of={{ members, text: operation.text }}
        fields={fields}
        brought={door.brought ?? []}
        action={address(path)}
        page={address(on.path)}
        back={door.back?.(visit)}
        grave={door.grave ?? false}
        prefix={door.prefix ?? ''}
        choices={(await door.choices?.(visit)) ?? {}}
        draft={current === undefined ? draft : { ...draft, seen: formVersion(current) }}
      />
    );
  };

  const show = async (visit: VisitFor<A>, draft: Draft): Promise<Page> => {
    const form = await formOf(visit, draft);
    const page = door.page
      ? await door.page(visit, form, (name) => draft.input[name] ?? '')
      : questionOf(visit, operation, form, await door.subject?.(visit));
    return withDraft(visit, draft, page, operation, door.current);
  };

  portal.form({
    act,
    path,
    async does(visit) {
      const input = inputIn(visit, true);
      const whole = { ...input, ...(await fixedIn(visit)) };
      const seen = door.current && (visit.posted.get('seen') ?? '');
      // Browsers send empty fields, so a missing one belongs to another form. Unticked checkboxes
      // are not sent.
      const isSent = (name: string) => visit.posted.has(name) || isTicked(members[name]);
      if (!fields.every(isSent)) throw portalRefusal('form.broken', {});
      const read = taken.parse(writtenAs(members, whole));
      const faulty = (found: FieldFaults) =>
        show(visit, { input, seen, faults: faultsOf(visit, operation, fields, found) });
      if (!read.ok) return await faulty(read);
      if (confirms && input.typed?.trim().toUpperCase() !== whole[confirms]?.toUpperCase()) {
        return await faulty({ children: { typed: { errors: [''] } } });
      }
      try {
        const outcome = await operation.run(door.verbOf(visit), read.value, visit.actor);
        if (door.done) return await door.done(visit, outcome);
        return { to: door.back?.(visit) ?? addressIn(visit, input, on.path) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // Without fields, the missing entity is the form's subject.
        if (error.kind === 'not_found' && fields.length === 0) throw error;
        const { children } = error;
        if (children && areFields(children, fields)) return await faulty({ children });
        return await show(visit, { input, ...(overtaking(error) ?? { seen, refused: error }) });
      }
    },
  });
  return { opened, formOf, show };
}
