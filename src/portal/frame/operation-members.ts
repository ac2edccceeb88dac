import type { FieldFaults, FieldFaultsByName } from '../../platform/errors.ts';
import { type Members, required } from '../../platform/http/form.ts';
import type { Operation } from '../../platform/operations.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import { refusal as portalRefusal } from './codes.ts';
import { faultText } from './faults.ts';
import { isMany } from './operation-view.tsx';
import type { OwnVisit } from './visit.ts';

/** Members of a form whose values follow from the visit. */
export type FixedMembers<M extends Members, V> = Readonly<
  Partial<Record<keyof M & string, (visit: V) => string | Promise<string>>>
>;

/** Returns true if the named members have valid texts. An optional one may be empty. */
export const areSound = (
  members: Members,
  names: readonly string[],
  input: Readonly<Record<string, string>>,
): boolean =>
  names.every((name) => {
    const value = input[name] ?? '';
    const member = members[name];
    return member?.field.parse(value).ok || (!member?.required && value === '');
  });

/** Splits an operation's members into fields of its form, members of the address and fixed ones. */
export function membersOf<M extends Members, V extends OwnVisit>(
  members: M,
  {
    path,
    brought = [],
    fixed,
  }: { path: string; brought?: readonly (keyof M & string)[]; fixed: FixedMembers<M, V> },
) {
  const names = Object.keys(members);
  const inPath = names.filter((name) => path.includes(`/:${name}`));
  const fields = names.filter(
    (name) => ![...inPath, ...brought].includes(name) && !Object.hasOwn(fixed, name),
  );
  return {
    fields,
    /** Returns the submitted texts, or those in the page's address. */
    inputIn({ params, query, posted }: OwnVisit, isSent: boolean): Record<string, string> {
      const sent = isSent ? posted : query;
      return Object.fromEntries([
        ...inPath.map((name) => [name, params[name] ?? '']),
        ...[...brought, ...(isSent ? fields : [])].map((name) => [
          name,
          isMany(members[name]) ? sent.getAll(name).join(',') : (sent.get(name) ?? ''),
        ]),
      ]);
    },
    async fixedIn(visit: V): Promise<Record<string, string>> {
      const all = Object.entries<((visit: V) => string | Promise<string>) | undefined>(fixed);
      const found = all.map(async ([name, of]) => [name, (await of?.(visit)) ?? ''] as const);
      return Object.fromEntries(await Promise.all(found));
    },
  };
}

/** Converts texts from the page's formats to those of the form. */
export const writtenAs = (members: Members, input: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(members).map(([name, { field }]) => {
      const text = (input[name] ?? '').trim();
      return [name, text === '' ? text : (field.typed ?? String)(text)];
    }),
  );

/** Makes some optional members required. */
export const insisting = <M extends Members>(members: M, needs: readonly string[]): M =>
  ({
    ...members,
    ...Object.fromEntries(
      needs.flatMap((name) => (members[name] ? [[name, required(members[name].field)]] : [])),
    ),
  }) as M;

/** Translates the faults of fields. The operation's own texts for its page have priority. */
export function faultsOf(
  { lang }: OwnVisit,
  { text }: Pick<Operation, 'text'>,
  fields: readonly string[],
  { children = {} }: FieldFaults,
): FieldFault[] {
  return Object.entries(children).flatMap(([field, { errors = [] }]) => {
    const [first] = errors;
    if (first === undefined) return [];
    // Other members come from the address, so a faulty one means that the page does not exist.
    if (!fields.includes(field)) throw portalRefusal('page.not_found', {});
    const own = text(`${field}.fault`, lang);
    return [{ field, label: text(field, lang) ?? field, text: own ?? faultText(lang, first) }];
  });
}

/** Returns true if the form has a field for every fault. */
export function areFields(children: FieldFaultsByName, fields: readonly string[]): boolean {
  const faulty = Object.entries(children).filter(([, { errors = [] }]) => errors.length > 0);
  return faulty.every(([field]) => fields.includes(field));
}
