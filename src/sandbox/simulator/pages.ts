import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BusinessClock } from '../../platform/clocks.ts';
import { errorAnswer } from '../../platform/http/answers.ts';
import type { App } from '../../platform/http/server.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { framePage } from './frame.tsx';
import { type FrameModel, type FrameResult, framePath, tokensPath } from './model.ts';
import { readCard, typedIn } from './typed-card.ts';

export interface SimulatorPageParts {
  /** Origin of the service. Only its pages may embed the frame. */
  origin: string;
  business: BusinessClock;
}

interface FrameRequest {
  Querystring: { lang?: string; back?: string };
}

const hidden = { schema: { hide: true } };
const formLimitBytes = 16 * 1024;

const langOf = ({ query }: FastifyRequest<FrameRequest>): Lang =>
  query.lang === 'en' ? 'en' : 'es';

const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page);

/**
 * Returns the address that may receive a token, which must be a checkout of this service, or null.
 */
function backOf({ query }: FastifyRequest<FrameRequest>, origin: string): URL | null {
  const url = typeof query.back === 'string' ? URL.parse(query.back) : null;
  return url?.origin === origin && url.pathname.startsWith('/checkout/') ? url : null;
}

const withHanded = (back: URL, handed: FrameResult): string => {
  const url = new URL(back);
  for (const [name, value] of Object.entries(handed)) url.searchParams.set(name, value);
  return url.href;
};

function routes(app: App, { origin, business }: SimulatorPageParts): void {
  const modelOf = (request: FastifyRequest<FrameRequest>): FrameModel => ({
    lang: langOf(request),
    opener: origin,
    back: backOf(request, origin)?.href ?? null,
    faults: [],
    typed: {},
  });

  app.get<FrameRequest>(framePath, hidden, async (request, reply) =>
    send(reply, 200, framePage(modelOf(request))),
  );
  app.post<FrameRequest>(framePath, hidden, async (request, reply) => {
    const back = backOf(request, origin);
    const read = readCard(request.body, business.today());
    if ('handed' in read && back) {
      return reply.header('cache-control', 'no-store').redirect(withHanded(back, read.handed), 303);
    }
    const faults = 'faults' in read ? read.faults : [];
    const typed = typedIn(request.body);
    return send(reply, 400, framePage({ ...modelOf(request), faults, typed }));
  });
  app.post<FrameRequest>(tokensPath, hidden, async (request, reply) => {
    const read = readCard(request.body, business.today());
    return reply
      .code('handed' in read ? 201 : 400)
      .header('cache-control', 'no-store')
      .send('handed' in read ? read.handed : { faults: read.faults });
  });
}

/** Serves the simulator's frame, which is also a page for browsers without scripts. */
export async function simulatorPages(app: App, parts: SimulatorPageParts): Promise<void> {
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'"],
          styleSrc: ["'self'"],
          imgSrc: ["'self'", 'data:'],
          connectSrc: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'self'"],
          baseUri: ["'none'"],
        },
      },
      referrerPolicy: { policy: 'no-referrer' },
    });
    // Browsers send forms, so accept no other content type.
    pages.removeAllContentTypeParsers();
    await pages.register(formbody, { bodyLimit: formLimitBytes });
    pages.setErrorHandler((error, request, reply) => {
      const { answer, expected, retryAfter } = errorAnswer(error);
      if (!expected) app.log.error({ err: error, requestId: request.id }, 'a page failed');
      if (retryAfter !== null) reply.header('retry-after', retryAfter);
      return reply.code(answer.code).type('text/plain; charset=utf-8').send(answer.message);
    });
    routes(pages, parts);
  });
}
