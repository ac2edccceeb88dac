import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { optionalBody } from './endpoint.ts';
import { type Example, type Examples, isEarlier } from './examples.ts';
import {
  apiErrorFieldSchema,
  apiErrorSchema,
  type ErrorExamples,
  nameAnswers,
} from './openapi-errors.ts';
import { describe, type Words } from './openapi-words.ts';
import type { App } from './server.ts';

/** Responses to the examples, by call. */
export interface AnsweredExamples {
  json: Readonly<Record<string, unknown>>;
  csv: Readonly<Record<string, string>>;
  errors: ErrorExamples;
}

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: object[];
  requestBody?: object;
  responses?: Record<string, Record<string, unknown>>;
  [optionalBody]?: boolean;
}

/** Returns an example's value, resolving placeholders from responses. */
function exampleValue(value: unknown, { json }: AnsweredExamples): unknown {
  if (!isEarlier(value)) return value;
  const found = value.pointer.reduce<unknown>(
    (inner, name) => (inner as Record<string | number, unknown> | undefined)?.[name],
    json[value.call],
  );
  return value.part ? value.part.exec(String(found))?.[0] : found;
}

const contentOf = (place: object | undefined): Record<string, object> =>
  place && 'content' in place ? (place.content as Record<string, object>) : {};

function showExample(
  { parameters = [], requestBody, responses = {} }: Operation,
  { path, query, body }: Example,
  name: string,
  answers: AnsweredExamples,
): void {
  const values = { ...path, ...query };
  for (const one of parameters) {
    if (!('name' in one) || typeof one.name !== 'string') continue;
    const example = exampleValue(values[one.name], answers);
    if (example !== undefined) Object.assign(one, { example });
  }
  const sent = Object.entries(body ?? {}).map(([key, value]) => [
    key,
    exampleValue(value, answers),
  ]);
  for (const media of body ? Object.values(contentOf(requestBody)) : []) {
    Object.assign(media, { example: Object.fromEntries(sent) });
  }
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const examples = { 'application/json': answers.json[name], 'text/csv': answers.csv[name] };
  for (const [type, media] of Object.entries(contentOf(success))) {
    const example = examples[type as keyof typeof examples];
    if (example !== undefined) Object.assign(media, { example });
  }
}

type Paths = Record<string, object | undefined>;
type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Schema keywords with subschemas: by name, or in a list. */
const childKeys = {
  byName: ['properties', 'patternProperties'],
  listed: ['anyOf', 'oneOf', 'allOf'],
};

/**
 * Replaces a schema's titled parts with references, and collects them in `named`. Throws if two
 * that differ have the same title.
 */
function withReferences(schema: Schema, named: Record<string, Schema>): Schema {
  const inner = (value: unknown): unknown =>
    isSchema(value) ? withReferences(value, named) : value;
  const parts = Object.entries(schema).map(([name, value]) => {
    if (childKeys.byName.includes(name) && isSchema(value)) {
      return [
        name,
        Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)])),
      ];
    }
    if (childKeys.listed.includes(name) && Array.isArray(value)) return [name, value.map(inner)];
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

/** Moves every titled shape into the components. */
function nameShapes(value: unknown, named: Record<string, Schema>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'example' || name === 'examples') continue;
    if (name === 'schema' && isSchema(inner)) {
      Object.assign(value, { schema: withReferences(inner, named) });
    } else nameShapes(inner, named);
  }
}

function showExamples(paths: Paths, examples: Examples, answers: AnsweredExamples): void {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries<Operation>({ ...item })) {
      const name = `${method.toUpperCase()} ${path}`;
      const example = examples[name];
      if (example) showExample(operation, example, name, answers);
    }
  }
}

/** Corrects the plugin, which marks every body as required. */
function freeOptionalBodies(paths: Paths): void {
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
  webhooks: Record<string, object>;
  examples: Examples;
  answers: AnsweredExamples;
  words: Words;
}

/** The parts of a document to complete once all routes are known. */
export interface Collected {
  paths?: Paths;
  webhooks?: Paths;
  components?: object;
  tags?: object[];
}

const operationsOf = (paths: Paths = {}): Operation[] =>
  Object.values(paths).flatMap((item) => Object.values<Operation>({ ...item }));

/** Completes the plugin's document: names, examples, descriptions, headers. */
function complete(document: Collected, { examples, answers, words }: About): void {
  const { paths = {}, webhooks = {} } = document;
  const components = (document.components ?? {}) as { schemas: Record<string, Schema> };
  const operations = operationsOf(paths);
  freeOptionalBodies(paths);
  showExamples(paths, examples, answers);
  for (const part of [paths, webhooks]) nameShapes(part, components.schemas);
  nameAnswers(operations, components as object as Schema, answers.errors);
  describe({ paths, components }, operations, words);
  const used = new Set([...operations, ...operationsOf(webhooks)].flatMap(({ tags = [] }) => tags));
  document.tags = Object.entries(words.tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

/** Collects the document from routes that are registered later. Call it before them. */
export async function collectOpenApi(app: App, about: About) {
  const { url, version, webhooks } = about;
  app.addSchema(apiErrorFieldSchema);
  app.addSchema(apiErrorSchema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Recaudo: payment collection service',
        version,
        description:
          'Amounts are pesos with at most two decimals. Every answer carries Request-Id.',
        contact: { name: 'The operator of this service', url },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url }],
      webhooks: structuredClone(webhooks),
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    },
    transformObject(document) {
      if (!('openapiObject' in document)) return document.swaggerObject;
      complete(document.openapiObject as Collected, about);
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
