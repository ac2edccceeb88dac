import fastify from 'fastify';
import { listen } from './listen.ts';

/** (a) A route that does nothing, for either method. */
export async function serveHello(): Promise<string> {
  const app = fastify();
  app.get('/payment-request/:id', () => ({ hello: 'world' }));
  app.post('/payment-request', () => ({ hello: 'world' }));
  return await listen(app);
}
