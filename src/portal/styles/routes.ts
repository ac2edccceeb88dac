import type { FastifyReply } from 'fastify';
import type { App } from '../../platform/http/server.ts';
import { sampleDialog, stylesPage } from './page.tsx';

const send = (reply: FastifyReply, page: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);

/**
 * Serves the living style guide for developers: every component of the portal's pages. It contains
 * no data, so it requires no sign-in.
 */
export function stylesRoutes(app: App): void {
  const hidden = { schema: { hide: true } };
  app.get('/styles', hidden, (_request, reply) => send(reply, stylesPage()));
  app.get('/styles/dialog', hidden, (_request, reply) => send(reply, sampleDialog()));
  // Sample forms change nothing: the input is dropped.
  app.post('/styles', hidden, (_request, reply) => reply.redirect('/portal/styles', 303));
}
