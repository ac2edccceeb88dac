import { withoutReferences } from './references.ts';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  pattern?: string;
  format?: string;
  [bound: string]: unknown;
}

interface Media {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Media>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
}

/** `sent`: old requests must remain valid. `answered`: old response members must remain. */
type Direction = 'sent' | 'answered';

const typesOf = (schema: Schema): string[] =>
  schema.type === undefined ? [] : [schema.type].flat().toSorted();

const upper = ['maxLength', 'maxItems', 'maximum'];
const lower = ['minLength', 'minItems', 'minimum'];

/** Returns bounds that allow less than before. */
function narrowed(before: Schema, after: Schema): string[] {
  const limit = (schema: Schema, name: string, open: number) => Number(schema[name] ?? open);
  return [
    ...upper.filter((name) => limit(after, name, Infinity) < limit(before, name, Infinity)),
    ...lower.filter((name) => limit(after, name, -Infinity) > limit(before, name, -Infinity)),
    ...['pattern', 'format'].filter(
      (name) => after[name] !== undefined && after[name] !== before[name],
    ),
  ];
}

function brokenMembers(before: Schema, after: Schema, direction: Direction, at: string): string[] {
  const was = new Set(before.required);
  const is = new Set(after.required);
  const members = Object.entries(before.properties ?? {}).flatMap(([name, member]) => {
    const now = after.properties?.[name];
    if (!now) return [`${at}.${name} is gone`];
    const optional = direction === 'answered' && was.has(name) && !is.has(name);
    return [
      ...(optional ? [`${at}.${name} may be absent`] : []),
      ...broken(member, now, direction, `${at}.${name}`),
    ];
  });
  const required = direction === 'sent' ? [...is].filter((name) => !was.has(name)) : [];
  return [...members, ...required.map((name) => `${at}.${name} is required`)];
}

/**
 * Checks that each variant an old client sends, or a new service answers, has a compatible one on
 * the other side.
 */
function brokenVariants(before: Schema, after: Schema, direction: Direction, at: string): string[] {
  const [from, to] = direction === 'sent' ? [before, after] : [after, before];
  const fits = (one: Schema): boolean =>
    (to.anyOf ?? [to]).some((other) => {
      const [old, now] = direction === 'sent' ? [one, other] : [other, one];
      return broken(old, now, direction, at).length === 0;
    });
  return (from.anyOf ?? [from]).every(fits) ? [] : [`${at} has other variants`];
}

function broken(before: Schema, after: Schema, direction: Direction, at: string): string[] {
  if (before.anyOf || after.anyOf) return brokenVariants(before, after, direction, at);
  const [was, is] = [typesOf(before), typesOf(after)];
  const [from, to] = direction === 'sent' ? [was, is] : [is, was];
  const takes = (type: string): boolean =>
    to.length === 0 || to.includes(type) || (type === 'integer' && to.includes('number'));
  if (!from.every(takes) || (from.length === 0 && to.length > 0)) {
    return [`${at} was ${was.join(' or ')}, is ${is.join(' or ')}`];
  }
  const values = after.const === undefined ? after.enum : [after.const];
  const old = before.const === undefined ? before.enum : [before.const];
  // Answers may get new values, such as states; accepted inputs may not shrink.
  const lost = direction === 'sent' && values ? (old ?? ['others']) : [];
  return [
    ...lost.filter((value) => !values?.includes(value)).map((value) => `${at}: no more ${value}`),
    ...(direction === 'sent' ? narrowed(before, after).map((name) => `${at}: ${name}`) : []),
    ...brokenMembers(before, after, direction, at),
    ...(before.items && after.items ? broken(before.items, after.items, direction, `${at}[]`) : []),
  ];
}

function brokenMedia(
  before: Media | undefined,
  after: Media | undefined,
  direction: Direction,
  at: string,
): string[] {
  return Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) => {
    const now = after?.content?.[type];
    return now ? broken(schema, now.schema, direction, at) : [`${at}: no more ${type}`];
  });
}

function brokenParameters(before: Operation, after: Operation, at: string): string[] {
  const key = (one: { name: string; in: string }): string => `${one.in} ${one.name}`;
  const old = new Map((before.parameters ?? []).map((one) => [key(one), one]));
  const now = new Map((after.parameters ?? []).map((one) => [key(one), one]));
  return [
    ...[...old].flatMap(([name, one]) => {
      const is = now.get(name);
      return is
        ? broken(one.schema, is.schema, 'sent', `${at} ${name}`)
        : [`${at} ${name} is gone`];
    }),
    ...[...now]
      .filter(([name, one]) => one.required && !old.get(name)?.required)
      .map(([name]) => `${at} ${name} is required`),
  ];
}

function brokenOperation(before: Operation, after: Operation, at: string): string[] {
  const must = after.requestBody?.required === true && before.requestBody?.required !== true;
  return [
    ...brokenParameters(before, after, at),
    ...(must ? [`${at} needs a body`] : []),
    ...brokenMedia(before.requestBody, after.requestBody, 'sent', `${at} body`),
    ...Object.entries(before.responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([status, response]) =>
        after.responses[status]
          ? brokenMedia(response, after.responses[status], 'answered', `${at} ${status}`)
          : [`${at} answers no more ${status}`],
      ),
  ];
}

/** Returns what an old client loses with the new service, one line each. */
export function breakingChanges(before: OpenApi, after: OpenApi): string[] {
  const [old, now] = [withoutReferences(before), withoutReferences(after)];
  const calls = Object.entries(old.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`;
      const is = now.paths[path]?.[method];
      return is ? brokenOperation(operation, is, at) : [`${at} is gone`];
    }),
  );
  const events = Object.entries(old.webhooks).flatMap(([name, { post }]) => {
    const is = now.webhooks[name]?.post;
    if (!is) return [`${name} is gone`];
    return brokenMedia(post?.requestBody, is.requestBody, 'answered', name);
  });
  return [...calls, ...events];
}
