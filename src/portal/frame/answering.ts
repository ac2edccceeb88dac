import type { FastifyReply } from 'fastify';
import { retryAfterOf } from '../../platform/http/answers.ts';
import { allowStyles } from '../../platform/pages/frames.ts';
import { setDevice, setFlow, setLang, setSecret } from './cookie.ts';
import { documentOf, failurePage, type Site, type Visit } from './document.tsx';
import type { Admission } from './guard.ts';
import { queryLang } from './lang.ts';
import type { Failure } from './texts.ts';
import type { Answer, OwnVisit } from './visit.ts';

type Refused = Exclude<Admission, { kind: 'account' | 'service' }>;

const failureOf: Partial<Record<Admission['kind'], { failure: Failure; status: number }>> = {
  unknown: { failure: 'notFound', status: 404 },
  forbidden: { failure: 'forbidden', status: 403 },
  suspended: { failure: 'suspended', status: 403 },
  closed: { failure: 'closed', status: 403 },
};

/** Sends pages, files, redirects and failures. */
export function answering({ secure, ...site }: Site & { secure: boolean }) {
  const send = (reply: FastifyReply, visit: Visit, answer: Answer): FastifyReply => {
    const lang = queryLang(visit.query);
    if (lang !== null) setLang(reply, lang, secure);
    if ('to' in answer) {
      if (answer.session !== undefined) setSecret(reply, answer.session, secure);
      for (const flow of answer.flows ?? []) setFlow(reply, flow, secure);
      if (answer.device) setDevice(reply, answer.device, secure);
      return reply.redirect(answer.to, 303);
    }
    if ('file' in answer) {
      const name = answer.name.replace(/[^\w.-]/g, '_');
      return reply
        .type(answer.type)
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(answer.file);
    }
    allowStyles(reply, answer.styles ?? []);
    const status = answer.status ?? 200;
    const retryAfter = answer.retryAfter ?? retryAfterOf(status);
    if (retryAfter !== null) reply.header('retry-after', retryAfter);
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(documentOf(visit, answer, site));
  };

  const fail = (reply: FastifyReply, visit: Visit, failure: Failure, status: number) =>
    send(reply, visit, { ...failurePage(visit.lang, failure, visit.requestId), status });

  const refuse = (reply: FastifyReply, visit: Visit, kind: Admission['kind']): FastifyReply => {
    const { failure, status } = failureOf[kind] ?? { failure: 'failed', status: 500 };
    return fail(reply, visit, failure, status);
  };

  /** Redirects to the page that removes an obstacle, or explains the obstacle. */
  const turnAway = (reply: FastifyReply, visit: OwnVisit, kind: Refused['kind']): FastifyReply => {
    if (kind === 'stale') {
      const next = encodeURIComponent(visit.page ?? '/portal');
      return reply.redirect(`/portal/confirm?next=${next}`, 303);
    }
    if (kind === 'factor') return reply.redirect('/portal/me/factor', 303);
    return refuse(reply, visit, kind);
  };

  return { send, fail, refuse, turnAway };
}

export type Answering = ReturnType<typeof answering>;
