import type { LocalizedText } from '../../language/localized-text.ts';
import { refusal } from '../codes.ts';
import type { FieldFaults, FieldFaultsByName, Refusal } from '../errors.ts';
import { fault } from './codes.ts';

/** JSON Schema of a member, for the OpenAPI document. */
export type JsonSchema = Record<string, unknown>;

export type Parsed<T> = { ok: true; value: T } | Fault;

/** An invalid value: its own faults and those of its members. */
export interface Fault extends FieldFaults {
  ok: false;
}

/** A kind of value: its schema, and how to parse it. */
export interface Field<T> {
  schema: JsonSchema;
  /** Explains the allowed values. */
  expectation: string | LocalizedText;
  parse(value: unknown): Parsed<T>;
  /** Converts a page's text to the input of `parse`. Default: the text itself. */
  typed?(text: string): unknown;
  /** The kind of input on pages; default: a line of text. */
  asks?: 'date' | 'lines' | 'tick';
}

export interface Member<T, R extends boolean = boolean> {
  field: Field<T>;
  required: R;
}

export const required = <T>(field: Field<T>): Member<T, true> => ({ field, required: true });
export const optional = <T>(field: Field<T>): Member<T, false> => ({ field, required: false });

export type Members = Record<string, Member<unknown>>;

/** Values of a form: every member by name, null if absent. */
export type Filled<M extends Members> = {
  [K in keyof M]: M[K] extends Member<infer T, infer R> ? (R extends true ? T : T | null) : never;
};

/** Rules across fields. They receive only valid fields, so that all faults are reported at once. */
export type Rules<M extends Members, C> = (
  valid: Partial<Filled<M>>,
  context: C,
) => { [K in keyof M]?: string | LocalizedText | undefined };

export interface Form<T, C = void> extends Field<T> {
  read(value: unknown, context: C): Parsed<T>;
}

export const fail = (...errors: (string | LocalizedText)[]): Fault => ({ ok: false, errors });

const faultsIn = ({ ok: _, ...faults }: Fault): FieldFaults => faults;

/** Returns true for undefined, null and "", which mean that an optional field is absent. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);

const missing = new WeakMap<Field<unknown>, FieldFaults>();

/** Returns one shared fault per field, because a batch may lack it in each item. */
function missingFault(field: Field<unknown>): FieldFaults {
  const known = missing.get(field);
  if (known) return known;
  const faults = { errors: [fault('field.required', { wanted: field.expectation })] };
  missing.set(field, faults);
  return faults;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'object' && JSON.isRawJSON(value) ? 'number' : typeof value;
};

/** Returns the fault of a value whose JSON type is not the field's. */
export const wrongType = (
  expected: 'text' | 'number' | 'day' | 'list' | 'object',
  value: unknown,
): Fault => fail(fault('field.wrong_type', { expected, found: typeOf(value) }));

function readMembers(
  members: readonly [string, Member<unknown>][],
  body: Record<string, unknown>,
): { valid: Record<string, unknown>; faults: FieldFaultsByName } {
  const valid: Record<string, unknown> = {};
  const faults: FieldFaultsByName = {};
  for (const [name, { field, required: isRequired }] of members) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    if (isAbsent(value)) {
      if (isRequired) faults[name] = missingFault(field);
      else valid[name] = null;
      continue;
    }
    const parsed = field.parse(value);
    if (parsed.ok) valid[name] = parsed.value;
    else faults[name] = faultsIn(parsed);
  }
  return { valid, faults };
}

/** Returns every member by name. A valid one is `{}`. */
const everyMember = (
  members: readonly [string, Member<unknown>][],
  faults: FieldFaultsByName,
): FieldFaultsByName => ({
  ...Object.fromEntries(members.map(([name]) => [name, {}])),
  ...faults,
});

/** Defines a form: its members, in the order in which it reports faults, and rules across them. */
export function form<M extends Members, C = void>(
  members: M,
  rules?: Rules<M, C>,
): Form<Filled<M>, C> {
  const inOrder = Object.entries(members);
  const read = (value: unknown, context: C): Parsed<Filled<M>> => {
    if (!isObject(value)) return wrongType('object', value);
    const { valid, faults } = readMembers(inOrder, value);
    const broken = rules ? Object.entries(rules(valid as Partial<Filled<M>>, context)) : [];
    for (const [name, message] of broken) {
      if (message !== undefined) faults[name] ??= { errors: [message] };
    }
    return Object.keys(faults).length > 0
      ? { ok: false, children: everyMember(inOrder, faults) }
      : { ok: true, value: valid as Filled<M> };
  };
  const names = Object.keys(members).filter((name) => members[name]?.required);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(members).map(([name, member]) => [name, member.field.schema]),
      ),
      ...(names.length > 0 ? { required: names } : {}),
    },
    expectation: fault('field.object', {}),
    read,
    parse: (value) => read(value, undefined as C),
  };
}

const maxQuotedLength = 40;

/** Quotes a wrong value for a sentence. Never shows the contents of lists and objects. */
function quotedValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value))
    return Array.isArray(value) ? '[…]' : '{…}';
  const text = JSON.stringify(value);
  return text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength).toWellFormed()}…` : text;
}

/**
 * A list of values. A value's own fault appears both at the list, with the value, and at its index.
 * Faults of a value's members appear only below its index.
 */
export function list<T>(item: Field<T>, { max }: { max: number }): Field<T[]> {
  return {
    schema: { type: 'array', items: item.schema, maxItems: max },
    expectation: fault('field.list', { max }),
    parse(value) {
      if (!Array.isArray(value)) return wrongType('list', value);
      if (value.length > max) {
        return fail(fault('field.too_many_values', { max, sent: value.length }));
      }
      const children: FieldFaultsByName = {};
      const values: T[] = [];
      const errors = new Map<string, LocalizedText>();
      for (const [index, element] of value.entries()) {
        const parsed = item.parse(element);
        if (parsed.ok) values.push(parsed.value);
        else {
          children[index] = faultsIn(parsed);
          for (const text of parsed.errors ?? []) {
            const elementFault = fault('field.wrong_value', {
              value: quotedValue(element),
              fault: text,
            });
            errors.set(String(elementFault), elementFault);
          }
        }
      }
      if (values.length === value.length) return { ok: true, value: values };
      return { ok: false, ...(errors.size > 0 && { errors: [...errors.values()] }), children };
    },
  };
}

/** Makes a field keep the sent value next to the parsed one, so that responses can echo it. */
export function asSent<T>(field: Field<T>): Field<{ sent: unknown; value: T }> {
  return {
    ...field,
    parse(value) {
      const parsed = field.parse(value);
      return parsed.ok ? { ok: true, value: { sent: value, value: parsed.value } } : parsed;
    },
  };
}

/** Returns a 400 with every member's faults. A valid member is `{}`. */
export const invalid = (children: FieldFaultsByName): Refusal =>
  refusal('invalid_fields', {}, { children });

/** Builds the refusal of a field after parsing, as a tree like that of the form's own faults. */
export const refuseField =
  <M extends Members>(members: M) =>
  (name: keyof M & string, ...errors: (string | LocalizedText)[]): Refusal =>
    invalid({
      ...Object.fromEntries(Object.keys(members).map((member) => [member, {}])),
      [name]: { errors },
    });

/** Parses a form. Throws 400 with all its faults. */
export function readForm<T, C>(target: Form<T, C>, value: unknown, context: C): T {
  const parsed = target.read(value, context);
  if (parsed.ok) return parsed.value;
  throw parsed.children
    ? invalid(parsed.children)
    : refusal('body_not_object', { wrapper: 'none' });
}

/** Unwraps a form, as in `{"payment_request": {…}}`. */
export function unwrap(body: unknown, wrapper: string): unknown {
  if (isObject(body) && Object.hasOwn(body, wrapper) && isObject(body[wrapper]))
    return body[wrapper];
  throw wrapperFault(body, wrapper);
}

const mostNamed = 10;

function wrapperFault(body: unknown, wrapper: string): Refusal {
  if (!isObject(body)) return refusal('body_not_object', { wrapper });
  if (Object.hasOwn(body, wrapper)) return refusal('wrapper_not_object', { wrapper });
  const names = Object.keys(body);
  const first = names
    .slice(0, mostNamed)
    .map((name) => name.slice(0, maxQuotedLength).toWellFormed());
  const more = names.length > mostNamed ? ' …' : '';
  return refusal('wrapper_missing', {
    wrapper,
    found: `${first.join(', ') || 'nothing'}${more}`,
  });
}
