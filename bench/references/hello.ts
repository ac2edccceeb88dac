import fastify from 'fastify';
import { listen } from './listen.ts';

/** (a) A route that does nothing, for both methods and any request. */
export async function serveHello(): Promise<string> {
  const app = fastify();
  app.get('/payment-request/:id', () => ({ hello: 'world' }));
  app.post('/payment-request', () => ({ hello: 'world' }));
  app.get('/*', () => ({ hello: 'world' }));
  app.post('/*', () => ({ hello: 'world' }));
  return await listen(app);
}
