import fastify from 'fastify';
import { listen } from './listen.ts';

/** (a') Routes that return the real service's body, without key check, rules or database. */
export async function serveSameBody({ body }: { body: unknown }): Promise<string> {
  const app = fastify();
  app.get('/payment-request/:id', () => body);
  app.get('/status/:id', () => body);
  app.post('/payment-request', (_request, reply) => reply.code(201).send(body));
  return await listen(app);
}
