import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
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
          children: { type: 'object' },
        },
      },
    },
    errors: {
      type: 'array',
      description: 'The last member of every error: its sentences, those of fields with their path',
      items: { type: 'string' },
    },
  },
};

interface About {
  url: string;
  version: string;
  /** What the service itself calls, by name: the `webhooks` section. */
  webhooks: Record<string, object>;
}

/** Collects the document from the routes that are registered after it; call before them. */
export async function collectOpenApi(app: App, { url, version, webhooks }: About) {
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
