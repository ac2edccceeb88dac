import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorAnswer } from '../platform/http/answers.ts';
import type { App } from '../platform/http/server.ts';
import { checkoutPath, pageModel } from './page.ts';
import type { ErrorModel, Lang } from './views/model.ts';
import { errorPage, notFoundPage } from './views/outcome.tsx';

/** Returns the language of a call. In a form, `to` switches the language and takes precedence. */
export const langOf = ({ body, query }: Pick<FastifyRequest, 'body' | 'query'>): Lang => {
  const { to, lang } = (body ?? {}) as { to?: unknown; lang?: unknown };
  const queryLang = (query as { lang?: unknown } | null | undefined)?.lang;
  return (to === undefined ? [lang, queryLang] : [to]).includes('en') ? 'en' : 'es';
};

export const tokenOf = ({ params }: FastifyRequest): string =>
  (params as { token?: string } | undefined)?.token ?? '';

export const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page);

export const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  send(reply, 404, notFoundPage(pageModel(langOf(request), checkoutPath(tokenOf(request)))));

export const unavailable = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const model = pageModel(langOf(request), checkoutPath(tokenOf(request)));
  return send(reply, 403, errorPage({ ...model, kind: 'unavailable', requestId: request.id }));
};

const failureKinds: Record<number, ErrorModel['kind']> = { 429: 'too_many', 503: 'busy' };

/** Serves unknown addresses and failures as pages, in the current language. */
export function failurePages(app: App): void {
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error, request, reply) => {
    const { answer, expected, retryAfter } = errorAnswer(error);
    if (!expected) app.log.error({ err: error, requestId: request.id }, 'a page failed');
    if (answer.code === 404) return notFound(request, reply);
    if (retryAfter !== null) reply.header('retry-after', retryAfter);
    const model = pageModel(langOf(request), checkoutPath(tokenOf(request)));
    const kind = failureKinds[answer.code] ?? (expected ? 'unreadable' : 'failed');
    return send(reply, answer.code, errorPage({ ...model, kind, requestId: request.id }));
  });
}
