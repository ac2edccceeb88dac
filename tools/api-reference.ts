import {
  type Earlier,
  type Example,
  type Examples,
  type ExampleValue,
  isEarlier,
} from '../src/platform/http/examples.ts';
import type { Answered } from './example-answers.ts';

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  'x-permission'?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses?: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

const bounds = (schema: Schema): string =>
  [
    schema.maxLength === undefined ? null : `up to ${schema.maxLength} characters`,
    schema.maxItems === undefined ? null : `up to ${schema.maxItems}`,
    schema.minimum === undefined || schema.maximum === undefined
      ? null
      : `${schema.minimum} to ${schema.maximum}`,
    schema.enum ? schema.enum.join(', ') : null,
    schema.description ?? null,
  ]
    .filter((text) => text !== null)
    .join('; ');

const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'any'}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any');
};

/** Returns one line per member; nested members have a path with dots. */
function memberRows(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const required = schema.required?.includes(name) ? 'yes' : 'no';
    const full = `${prefix}${name}`;
    const inner = member.type === 'array' ? member.items : member;
    const nested = inner?.properties
      ? memberRows(inner, `${full}${member.type === 'array' ? '[]' : ''}.`)
      : [];
    return [`| \`${full}\` | ${typeOf(member)} | ${required} | ${bounds(member)} |`, ...nested];
  });
}

const members = (title: string, schema: Schema | undefined): string => {
  const rows = schema ? memberRows(schema) : [];
  if (rows.length === 0) return '';
  return `\n${title}\n\n| Member | Type | Required | Rules |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
};

const jsonSchema = (content: Record<string, { schema: Schema }> | undefined): Schema | undefined =>
  Object.values(content ?? {})[0]?.schema;

const shown = (value: ExampleValue | undefined): string =>
  isEarlier(value) ? `$${value.variable}` : encodeURIComponent(String(value));

/** Quotes an example's body for the shell, with earlier answers' values interpolated. */
const quoted = (body: object): string =>
  `'${JSON.stringify(body, (_name, value) => (isEarlier(value) ? `@${value.variable}@` : value))}'`.replace(
    /"@(\w+)@"/g,
    `'"$$$1"'`,
  );

/** Returns the curl command of an example, which needs ORIGIN, KEY and the variables it names. */
function curlOf(method: string, path: string, { path: values, query, body }: Example): string {
  const named = path.replace(/\{(\w+)\}/g, (_all, name: string) => shown(values?.[name]));
  return [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$ORIGIN${named}"`,
    ...Object.entries(query ?? {}).map(
      ([name, value]) => `--url-query "${name}=${isEarlier(value) ? `$${value.variable}` : value}"`,
    ),
    '-H "Authorization: Bearer $KEY"',
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`] : []),
  ].join(' \\\n  ');
}

/** Returns preparatory calls, whose answers are not shown. */
function preparing({ before = [] }: Example): string[] {
  return before.map(({ call, ...example }) => {
    const [method = '', path = ''] = call.split(' ');
    return curlOf(method, path, example).replace('curl -sS', 'curl -sS -o /dev/null');
  });
}

const earlierOf = ({ path, query, body }: Example): Earlier[] =>
  [path, query, body].flatMap((part) => Object.values(part ?? {})).filter(isEarlier);

function exampleText(
  method: string,
  path: string,
  example: Example,
  answered: Answered | undefined,
): string {
  const sources = earlierOf(example).map(
    ({ variable, call, pointer }) =>
      `\`$${variable}\` is \`${pointer.join('.')}\` in the answer of \`${call}\`.`,
  );
  const answer =
    answered && 'json' in answered
      ? `\`\`\`json\n${JSON.stringify(answered.json, null, 2)}\n\`\`\``
      : `Answers ${answered?.type}.`;
  return [
    'Example:',
    `\`\`\`sh\n${[...preparing(example), curlOf(method, path, example)].join('\n')}\n\`\`\``,
    ...sources,
    answer,
  ].join('\n\n');
}

function operationText(
  method: string,
  path: string,
  operation: Operation,
  example: Example | undefined,
  answered: Answered | undefined,
): string {
  const permission = operation['x-permission'];
  const access = permission ? `Needs the permission \`${permission}\`` : 'A public link, no key';
  const [status, success] =
    Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? [];
  const parametersIn = (...places: string[]): Schema => {
    const those = (operation.parameters ?? []).filter((one) => places.includes(one.in));
    return {
      properties: Object.fromEntries(those.map((one) => [one.name, one.schema])),
      required: those.filter((one) => one.required).map((one) => one.name),
    };
  };
  return [
    `### ${method.toUpperCase()} ${path}`,
    '',
    `${operation.summary ?? ''}. ${access}; answers ${status ?? 200}.`,
    ...(operation.description ? ['', operation.description] : []),
    members('Headers:', parametersIn('header')),
    members('Path and query:', parametersIn('path', 'query')),
    members(
      operation.requestBody?.required === false ? 'Body, which may be left out:' : 'Body:',
      jsonSchema(operation.requestBody?.content),
    ),
    members('Answer:', jsonSchema(success?.content)),
    ...(example ? ['', exampleText(method.toUpperCase(), path, example, answered)] : []),
  ].join('\n');
}

/** Returns the heading of a call, from which renderers build anchors. */
const headingOf = (method: string, path: string): string => `${method.toUpperCase()} ${path}`;
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const contents = (paths: OpenApi['paths']): string => {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { tags = [], summary }]) => ({
      tag: tags[0] ?? '',
      heading: headingOf(method, path),
      summary,
    })),
  );
  return [...Map.groupBy(calls, ({ tag }) => tag)]
    .map(([tag, own]) =>
      [
        `**${tag}**`,
        '',
        ...own.map(
          ({ heading, summary }) => `- [\`${heading}\`](#${anchorOf(heading)}): ${summary}`,
        ),
      ].join('\n'),
    )
    .join('\n\n');
};

/** Renders the document's calls one by one, with the descriptions in their schemas. */
export const apiReference = (
  { paths }: OpenApi,
  examples: Examples,
  answers: ReadonlyMap<string, Answered>,
): string =>
  [
    contents(paths),
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const name = headingOf(method, path);
        return operationText(method, path, operation, examples[name], answers.get(name));
      }),
    ),
  ]
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n');
