import type { FastifyInstance } from 'fastify';

/** Listens on a free loopback port and returns the origin. */
export const listen = (app: FastifyInstance): Promise<string> =>
  app.listen({ host: '127.0.0.1', port: 0 });
