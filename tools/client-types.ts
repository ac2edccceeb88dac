/** Generates the TypeScript types in `clients/typescript` from the OpenAPI document. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
}

interface Operation {
  operationId: string;
  summary: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const head = `// Written by \`npm run docs\` from the OpenAPI document. Do not edit.
`;

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;

const union = (types: string[]): string => [...new Set(types)].join(' | ');

function objectType(schema: Schema, indent: string): string {
  const { properties, additionalProperties: others } = schema;
  if (!properties) {
    const value = typeof others === 'object' ? typeOf(others, indent) : 'unknown';
    return `{ [name: string]: ${value} }`;
  }
  return `{\n${membersOf(properties, schema.required ?? [], `${indent}  `)}${indent}}`;
}

const membersOf = (
  properties: Record<string, Schema>,
  required: readonly string[],
  indent: string,
): string =>
  Object.entries(properties)
    .map(([name, member]) => {
      const type = typeOf(member, indent);
      const may = required.includes(name) ? `: ${type}` : `?: ${type} | undefined`;
      return `${comment(member.description, indent)}${indent}${name}${may};\n`;
    })
    .join('');

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf) return union(schema.anyOf.map((one) => typeOf(one, indent)));
  const types = [schema.type ?? 'any'].flat();
  return union(
    types.map((type) => {
      if (type === 'array') return `(${schema.items ? typeOf(schema.items, indent) : 'unknown'})[]`;
      if (type === 'object') return objectType(schema, indent);
      if (type === 'integer') return 'number';
      return type === 'any' ? 'unknown' : type;
    }),
  );
}

function declared(name: string, schema: Schema): string {
  const type = typeOf(schema, '');
  const text = comment(schema.description, '');
  return schema.properties && type.startsWith('{')
    ? `${text}export interface ${name} ${type}\n`
    : `${text}export type ${name} = ${type};\n`;
}

/** Renders an operation's query as a separate type. */
function queryOf({ operationId, summary, parameters = [] }: Operation): string[] {
  const those = parameters.filter((one) => one.in === 'query');
  if (those.length === 0) return [];
  const members = Object.fromEntries(
    those.map(({ name, description, schema }) => [
      name,
      { ...schema, ...(description !== undefined && { description }) },
    ]),
  );
  const required = those.filter((one) => one.required).map(({ name }) => name);
  return [
    declared(`${capital(operationId)}Query`, {
      type: 'object',
      description: `Query: ${summary}`,
      properties: members,
      required,
    }),
  ];
}

/** Renders `clients/typescript/src/types.ts`. */
export function clientTypes({ paths, webhooks, components }: OpenApi): string {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const events = Object.entries(webhooks).map(([name, { post }]) => {
    const ref = post?.requestBody?.content['application/json']?.schema.$ref ?? '';
    return `${comment(post?.summary, '  ')}  '${name}': ${nameOf(ref)};\n`;
  });
  return [
    head,
    ...Object.entries(components.schemas).map(([name, schema]) => declared(name, schema)),
    ...operations.flatMap(queryOf),
    `/** The body of each type of event. */\nexport interface Events {\n${events.join('')}}\n`,
  ].join('\n');
}
