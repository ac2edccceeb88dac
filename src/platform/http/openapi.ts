import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { optionalBody } from './endpoint.ts';
import { type Example, type Examples, isEarlier } from './examples.ts';
import type { App } from './server.ts';

/** The shape of every error, named in the document. */
const errorSchema = {
  $id: 'Error',
  type: 'object',
  required: ['code', 'message', 'errors', 'error_code'],
  properties: {
    code: { type: 'integer', description: 'The HTTP status' },
    message: { type: 'string', description: 'A sentence: what was wrong and what is allowed' },
    children: {
      type: 'object',
      description: 'For invalid fields: every field of the form; a valid one is an empty object',
      additionalProperties: {
        type: 'object',
        properties: {
          errors: { type: 'array', items: { type: 'string' } },
          codes: {
            type: 'array',
            description: 'Stable, for programs: the codes of `errors`, such as field.required',
            items: { type: 'string' },
          },
          children: { type: 'object', description: 'Members of the field, in the same shape' },
        },
      },
    },
    errors: {
      type: 'array',
      description: 'Its sentences, those of fields with their path',
      items: { type: 'string' },
    },
    error_code: {
      type: 'string',
      description:
        'Stable, for programs: one meaning and one status; invalid_fields where fields have codes ' +
        'of their own. docs/errors.md lists them; more may be added',
    },
  },
};

/** What of an operation examples are shown in. */
interface Operation {
  parameters?: object[];
  requestBody?: object;
  [optionalBody]?: boolean;
}

/** A value of an earlier answer is none to show: it is another one in every sandbox. */
function showExample({ parameters = [], requestBody }: Operation, example: Example): void {
  const values = { ...example.path, ...example.query };
  for (const one of parameters) {
    if (!('name' in one) || typeof one.name !== 'string') continue;
    const value = values[one.name];
    if (value !== undefined && !isEarlier(value)) Object.assign(one, { example: value });
  }
  if (example.body === undefined || !requestBody || !('content' in requestBody)) return;
  if (!Object.values(example.body).every((value) => !isEarlier(value))) return;
  for (const media of Object.values(requestBody.content as object)) {
    Object.assign(media, { example: example.body });
  }
}

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of a schema that hold others: by name, or in a list. */
const held = { byName: ['properties', 'patternProperties'], listed: ['anyOf', 'oneOf', 'allOf'] };

/** A schema whose parts that have a title are references, and stand in `named` by it. */
function withReferences(schema: Schema, named: Record<string, Schema>): Schema {
  const inner = (value: unknown): unknown =>
    isSchema(value) ? withReferences(value, named) : value;
  const parts = Object.entries(schema).map(([name, value]) => {
    if (held.byName.includes(name) && isSchema(value)) {
      return [
        name,
        Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)])),
      ];
    }
    if (held.listed.includes(name) && Array.isArray(value)) return [name, value.map(inner)];
    return [name, name === 'items' || name === 'additionalProperties' ? inner(value) : value];
  });
  const { title, ...rest } = Object.fromEntries(parts) as Schema;
  if (typeof title !== 'string') return rest;
  const before = named[title];
  if (before && JSON.stringify(before) !== JSON.stringify(rest)) {
    throw new Error(`Two shapes have the title ${title}.`);
  }
  named[title] = rest;
  return { $ref: `#/components/schemas/${title}` };
}

/** Gives every shape that has a title its place among the components. */
function nameShapes(value: unknown, named: Record<string, Schema>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'example' || name === 'examples') continue;
    if (name === 'schema' && isSchema(inner)) {
      Object.assign(value, { schema: withReferences(inner, named) });
    } else nameShapes(inner, named);
  }
}

/** Shows the example of every call. */
function showExamples(paths: Record<string, object | undefined>, examples: Examples): void {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries<Operation>({ ...item })) {
      const example = examples[`${method.toUpperCase()} ${path}`];
      if (example) showExample(operation, example);
    }
  }
}

/** The plugin says of every body that it is required. */
function freeOptionalBodies(paths: Record<string, object | undefined>): void {
  for (const item of Object.values(paths)) {
    for (const operation of Object.values<Operation>({ ...item })) {
      if (!operation[optionalBody]) continue;
      delete operation[optionalBody];
      Object.assign(operation.requestBody ?? {}, { required: false });
    }
  }
}

interface About {
  url: string;
  version: string;
  /** What the service itself calls, by name: the `webhooks` section. */
  webhooks: Record<string, object>;
  examples: Examples;
}

/** Collects the document from the routes that are registered after it; call before them. */
export async function collectOpenApi(app: App, { url, version, webhooks, examples }: About) {
  app.addSchema(errorSchema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Recaudo: payment collection service',
        version,
        description:
          'Amounts are pesos with at most two decimals. Every answer carries Request-Id.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url }],
      webhooks,
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    },
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject;
      const { paths = {}, components } = document.openapiObject;
      freeOptionalBodies(paths);
      showExamples(paths, examples);
      nameShapes(paths, (components as { schemas: Record<string, Schema> }).schemas);
      return document.openapiObject;
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `def-${index}`),
    },
  });
}

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="130" height="40">' +
  '<text x="0" y="28" font-family="sans-serif" font-size="26" fill="#fff">Recaudo</text></svg>';

/** Serves the document at /openapi.json and a browsable copy at /docs. */
export async function serveOpenApi(app: App): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(app.swagger()),
  );
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    theme: { title: 'Recaudo API' },
    logo: { type: 'image/svg+xml', content: Buffer.from(logo), href: '/docs', target: '_self' },
  });
}
