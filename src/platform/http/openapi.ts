import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { type Example, type Examples, isEarlier } from './examples.ts';
import type { App } from './server.ts';

/** The shape of every error, named in the document. */
const errorSchema = {
  $id: 'Error',
  type: 'object',
  required: ['code', 'message', 'errors'],
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
        'of their own. docs/errors.md lists all',
    },
  },
};

/** As `putDebitRequestByIdCancel`: of method and path, so that it stays while the call does. */
function operationIdOf(method: string, path: string): string {
  const words = path
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return [method, ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

/** What of an operation examples are shown in. */
interface Operation {
  operationId?: string;
  parameters?: object[];
  requestBody?: object;
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

/** Tells of every call its name and its example. */
function nameCalls(paths: Record<string, object | undefined>, examples: Examples): void {
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries<Operation>({ ...item })) {
      operation.operationId = operationIdOf(method, path);
      const example = examples[`${method.toUpperCase()} ${path}`];
      if (example) showExample(operation, example);
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
      nameCalls(document.openapiObject.paths ?? {}, examples);
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
