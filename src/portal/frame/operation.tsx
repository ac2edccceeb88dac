import type { ComponentChildren } from 'preact';
import { languages } from '../../language/said.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Fault, Members } from '../../platform/http/form.ts';
import type { Operation } from '../../platform/operations.ts';
import { TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, statusOf } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import type { AccountAct, Act, ServiceAct } from '../../users/index.ts';
import { refusal as portalRefusal } from './codes.ts';
import { faultText } from './faults.ts';
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
  /** It cannot be taken back: its button says so. */
  grave?: true;
  /** The address that "cancel" leads to. */
  back(visit: VisitFor<A>): string;
  /** The page around the form. `member`: what the page was opened with. */
  page(
    visit: VisitFor<A>,
    form: ComponentChildren,
    member: (name: string) => string,
  ): Promise<Page>;
  done(visit: VisitFor<A>, outcome: Outcome): Answer;
}

interface Draft {
  typed: Readonly<Record<string, string>>;
  faults?: readonly FieldFault[];
  refused?: Refusal;
}

type Described = Pick<Operation, 'members' | 'text'>;

/** Enough for a number as people write it; texts say themselves how long they may be. */
const longestNumber = 20;

interface FieldsProps {
  visit: OwnVisit;
  of: Described;
  asked: readonly string[];
  draft: Draft;
}

function Fields({ visit: { lang }, of, asked, draft: { typed, faults = [] } }: FieldsProps) {
  const field = ([name, { field: rule, required }]: [string, Members[string]]) => (
    <TextField
      key={name}
      lang={lang}
      name={name}
      label={of.text(name, lang) ?? name}
      hint={of.text(`${name}.hint`, lang) ?? undefined}
      value={typed[name] ?? ''}
      fault={faults.find((fault) => fault.field === name)?.text}
      maxLength={Number(rule.schema.maxLength ?? longestNumber)}
      {...(rule.typed && { inputMode: 'decimal', short: true })}
      required={required}
      optional={!required}
    />
  );
  return (
    <>
      {Object.entries(of.members)
        .filter(([name]) => asked.includes(name))
        .map(field)}
    </>
  );
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

/** Serves an operation as a page with its form; both belong to its act. */
export function operationPages<M extends Members, Verb, Outcome, A extends Act>(
  portal: Portal,
  operation: Operation<M, Verb, Outcome, A>,
  door: Door<M, Verb, Outcome, A>,
): void {
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

  const show = async (visit: VisitFor<A>, draft: Draft): Promise<Page> => {
    const { lang } = visit;
    const { typed, faults = [] } = draft;
    const of = (name: string): string => typed[name] ?? '';
    const address = (wanted: string): string =>
      visit.at(wanted.replaceAll(/:(\w+)/g, (_, name: string) => visit.params[name] ?? ''));
    const action = address(path);
    const search = new URLSearchParams(brought.map((name) => [name, of(name)]));
    const form = visit.may(act as never) && (
      <Form
        lang={lang}
        action={action}
        token={visit.token(action)}
        submit={text('submit', lang) ?? ''}
        grave={door.grave ?? false}
        back={door.back(visit)}
        faults={faults}
      >
        <input
          type="hidden"
          name="back"
          value={`${address(on.path)}${brought.length > 0 ? `?${search}` : ''}`}
        />
        {brought.map((name) => (
          <input key={name} type="hidden" name={name} value={of(name)} />
        ))}
        <Fields visit={visit} of={operation} asked={asked} draft={draft} />
      </Form>
    );
    return withDraft(visit, draft, await door.page(visit, form, of));
  };

  portal.page({
    act: on.act as A,
    path: on.path,
    async read(visit) {
      const typed = { ...typedIn(visit, false), ...(await door.initial?.(visit)) };
      if (!areSound(members, brought, typed)) throw portalRefusal('page.not_found', {});
      return await show(visit, { typed });
    },
  });
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
        return door.done(visit, await operation.run(door.verbOf(visit), read.value, visit.actor));
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
        return await show(visit, { typed, refused: error });
      }
    },
  });
}
