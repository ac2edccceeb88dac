import type { App } from './server.ts';

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
}

interface Content {
  'application/json'?: { schema?: Schema; example?: unknown };
}

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Content };
  responses?: Record<string, { content?: Content }>;
}

/** The parts of an OpenAPI document that the page needs. */
export interface Described {
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const longestText = 60;
const deepest = 3;

/** Formats an example on one line: a list's first item, a long text's start. */
const onOneLine = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) => {
    if (Array.isArray(inner)) return inner.slice(0, 1);
    if (typeof inner !== 'string' || inner.length <= longestText) return inner;
    return `${inner.slice(0, longestText)}…`;
  });

const typeOf = ({ type, enum: values, anyOf, items }: Schema): string => {
  if (values) return values.join('|');
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join('|');
  if (type === 'array' && items) return `list of ${typeOf(items)}`;
  return Array.isArray(type) ? type.join('|') : (type ?? 'any');
};

/** Renders an API's description as one plain page, for language models. */
export function llmsText(document: Described, { before, after }: Record<string, string>): string {
  const resolved = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1) ?? '';
    return document.components?.schemas?.[name] ?? schema;
  };

  /** Shapes and descriptions that are already printed, with the first call that had them. */
  const printed = new Map<string, string>();

  /** Returns true the first time. */
  function isNew(what: string, call: string): boolean {
    const isFirst = !printed.has(what);
    if (isFirst) printed.set(what, call);
    return isFirst;
  }

  function descriptionOf(call: string, { summary = '', description = '' }: Operation): string {
    if (description === '') return summary;
    return isNew(description, call)
      ? `${summary}. ${description}`
      : `${summary}. The rules of ${printed.get(description)} hold.`;
  }

  function answerOf(call: string, { responses = {} }: Operation): string[] {
    const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
    const { example, schema } = success?.content?.['application/json'] ?? {};
    if (example === undefined) return [];
    const name = schema?.$ref?.split('/').at(-1);
    if (name === undefined || isNew(name, call)) return [`Answer: ${onOneLine(example)}`];
    return [`Answer: as of ${printed.get(name)}`];
  }

  /** Formats a body's members, using its last and simplest shape. */
  const bodyMembers = (schema: Schema): string => {
    const { anyOf } = resolved(schema);
    return membersOf(anyOf?.at(-1) ?? schema);
  };

  /** Formats members, with nested ones in braces. `*` marks required ones. */
  function membersOf(schema: Schema, depth = 0): string {
    const { properties = {}, required = [] } = resolved(schema);
    return Object.entries(properties)
      .map(([name, member]) => {
        const inner = resolved(member);
        const item = inner.items && resolved(inner.items);
        const nested = inner.properties ? inner : item?.properties ? item : null;
        const mark = required.includes(name) ? '*' : '';
        if (nested && depth < deepest) {
          const list = nested === item ? 'list of ' : '';
          return `${name}${mark}: ${list}{${membersOf(nested, depth + 1)}}`;
        }
        return `${name}${mark}: ${typeOf(inner)}`;
      })
      .join(', ');
  }

  function callText(method: string, path: string, operation: Operation): string {
    const { parameters = [], requestBody } = operation;
    const call = `${method.toUpperCase()} ${path}`;
    const query = parameters.filter((one) => one.in === 'query');
    const body = requestBody?.content['application/json'];
    return [
      `### ${call}`,
      descriptionOf(call, operation),
      ...(query.length > 0
        ? [
            `Query: ${query.map(({ name, schema = {} }) => `${name} (${typeOf(schema)})`).join(', ')}`,
          ]
        : []),
      ...(body?.schema ? [`Body: {${bodyMembers(body.schema)}}`] : []),
      ...(body?.example === undefined ? [] : [`Example: ${JSON.stringify(body.example)}`]),
      ...answerOf(call, operation),
    ].join('\n');
  }

  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const sections = (document.tags ?? []).map(({ name, description = '' }) => {
    const own = calls.filter(({ operation }) => operation.tags?.includes(name));
    const texts = own.map(({ method, path, operation }) => callText(method, path, operation));
    return [`## ${name}`, description, ...texts].join('\n\n');
  });
  return `${[before, ...sections, after].join('\n\n')}\n`;
}

/** Serves the page at `/llms.txt`, publicly. Renders it on first use. */
export function serveLlmsText(app: App, words: Record<'before' | 'after', string>): void {
  let text: string | undefined;
  app.get('/llms.txt', { schema: { hide: true } }, (_request, reply) => {
    text ??= llmsText(app.swagger() as unknown as Described, words);
    return reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(text);
  });
}
