import type { FastifyReply } from 'fastify';
import type { App } from '../../platform/http/server.ts';
import { sampleDialog, stylesPage } from './page.tsx';

const send = (reply: FastifyReply, page: string) =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);

/**
 * The living style sheet: every component of the portal's pages, for who builds them. It shows
 * nothing of anybody, so it is no page that somebody signs in for.
 */
export function stylesRoutes(app: App): void {
  const hidden = { schema: { hide: true } };
  app.get('/styles', hidden, (_request, reply) => send(reply, stylesPage()));
  app.get('/styles/dialog', hidden, (_request, reply) => send(reply, sampleDialog()));
  // Samples of forms change nothing: what is sent is dropped.
  app.post('/styles', hidden, (_request, reply) => reply.redirect('/portal/styles', 303));
}
