import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorAnswer } from '../../platform/http/answers.ts';
import type { App } from '../../platform/http/server.ts';
import { documentOf, failurePage } from './document.tsx';
import { langOf } from './lang.ts';
import type { FrameParts } from './portal.ts';
import type { Failure } from './texts.ts';
import { visitOf } from './visitor.ts';

const failureOf: Readonly<Record<number, Failure>> = {
  400: 'malformed',
  403: 'forbidden',
  404: 'notFound',
  413: 'tooLarge',
  415: 'malformed',
  429: 'tooMany',
  503: 'tooMany',
};

type FailureParts = Pick<FrameParts, 'sandbox'> & {
  users: Pick<FrameParts['users'], 'idleMinutes'>;
};

/** Serves errors and unknown addresses as pages in the current language. */
export function failureRoutes(app: App, { sandbox, users: { idleMinutes } }: FailureParts): void {
  const show = (request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply => {
    const page = failurePage(langOf(request), failureOf[status] ?? 'failed', request.id);
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(documentOf(visitOf(request, false), page, { sandbox, idleMinutes }));
  };
  app.setNotFoundHandler((request, reply) => show(request, reply, 404));
  app.setErrorHandler((error, request, reply) => {
    const { answer, expected, retryAfter } = errorAnswer(error);
    if (!expected) app.log.error({ err: error, requestId: request.id }, 'a page failed');
    if (retryAfter !== null) reply.header('retry-after', retryAfter);
    return show(request, reply, answer.code);
  });
}
