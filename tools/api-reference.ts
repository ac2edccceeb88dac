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
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
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

/** One line for each member, nested members behind dots. */
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

function operationText(method: string, path: string, operation: Operation): string {
  const permission = operation.security?.flatMap((one) => Object.values(one).flat())[0];
  const access = permission ? `Needs the permission \`${permission}\`` : 'A public link, no key';
  const [status, success] =
    Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? [];
  const parameters: Schema = {
    properties: Object.fromEntries(
      (operation.parameters ?? []).map((one) => [one.name, one.schema]),
    ),
    required: (operation.parameters ?? []).filter((one) => one.required).map((one) => one.name),
  };
  return [
    `### ${method.toUpperCase()} ${path}`,
    '',
    `${operation.summary ?? ''}. ${access}; answers ${status ?? 200}.`,
    ...(operation.description ? ['', operation.description] : []),
    members('Path and query:', parameters),
    members('Body:', jsonSchema(operation.requestBody?.content)),
    members('Answer:', jsonSchema(success?.content)),
  ].join('\n');
}

/** The calls of the document, one after the other, in the words of their schemas. */
export const apiReference = ({ paths }: OpenApi): string =>
  Object.entries(paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) =>
        operationText(method, path, operation),
      ),
    )
    .join('\n\n')
    .replace(/\n{3,}/g, '\n\n');
