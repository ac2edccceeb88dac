import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/index.ts';
import { errorAnswer } from '../platform/http/answers.ts';
import type { App } from '../platform/http/server.ts';
import { stateOn } from '../requests/index.ts';
import { postedIn } from './form.ts';
import {
  checkoutPath,
  collectedIn,
  pageModel,
  receiptModel,
  receiptPath,
  rejectedModel,
  rejectedPath,
  type Visit,
  withLang,
} from './page.ts';
import { type PayParts, type PostOutcome, payHere, simulate } from './pay-here.ts';
import { statePage } from './state-page.ts';
import type { Lang } from './views/model.ts';
import { errorPage, notFoundPage, receiptPage, rejectedPage } from './views/outcome.tsx';

export interface CheckoutRouteParts extends PayParts {
  readAccount(id: string): Promise<Account | null>;
}

interface TokenRequest {
  Params: { token: string };
  Querystring: { lang?: string };
}

const hidden = { schema: { hide: true } };
const formLimitBytes = 64 * 1024;

const langOf = ({ body, query }: Pick<FastifyRequest, 'body' | 'query'>): Lang => {
  const named = [body, query].map((one) => (one as { lang?: unknown } | null | undefined)?.lang);
  return named.includes('en') ? 'en' : 'es';
};

const tokenOf = ({ params }: FastifyRequest): string =>
  (params as { token?: string } | undefined)?.token ?? '';

const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page);

const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  send(reply, 404, notFoundPage(pageModel(langOf(request), checkoutPath(tokenOf(request)))));

/** Wrong addresses and failures are pages too, in the language that is being read. */
function failurePages(app: App): void {
  app.setNotFoundHandler(notFound);
  app.setErrorHandler((error, request, reply) => {
    const { answer, expected } = errorAnswer(error);
    if (!expected) app.log.error({ err: error, requestId: request.id }, 'a page failed');
    if (answer.code === 404) return notFound(request, reply);
    if (answer.code === 503) reply.header('retry-after', '1');
    const model = pageModel(langOf(request), checkoutPath(tokenOf(request)));
    const kind = answer.code === 503 ? 'busy' : expected ? 'unreadable' : 'failed';
    return send(reply, answer.code, errorPage({ ...model, kind, requestId: request.id }));
  });
}

/** Where a payer goes after an attempt: to the collector's page where there is one, else to ours. */
function targetOf(visit: Visit, outcome: 'approved' | 'pending' | 'rejected'): string {
  const { row, token, lang } = visit;
  const [theirs, ours] = {
    approved: [row.details.back_url_success, receiptPath(token)] as const,
    pending: [row.details.back_url_pending, checkoutPath(token)] as const,
    rejected: [row.details.back_url_rejected, rejectedPath(token)] as const,
  }[outcome];
  // Written anew: a header holds ASCII only, an address that was accepted may hold more.
  return (theirs && URL.parse(theirs)?.href) || withLang(ours, lang);
}

function pageRoutes(app: App, parts: CheckoutRouteParts): void {
  const visitOf = async (token: string, lang: Lang): Promise<Visit | null> => {
    const key = parts.links.keyOf(token);
    if (!key) return null;
    const attemptOpen = await parts.requests.hasOpenAttempt(key);
    const found = await parts.requests.find(key);
    const account = found && (await parts.readAccount(found.row.account_id));
    if (!found || !account) return null;
    return { ...found, attemptOpen, account, token, lang, today: parts.business.today() };
  };

  type Handle = (
    visit: Visit,
    request: FastifyRequest<TokenRequest>,
    reply: FastifyReply,
  ) => Promise<FastifyReply>;

  const onVisit =
    (handle: Handle) =>
    async (request: FastifyRequest<TokenRequest>, reply: FastifyReply): Promise<FastifyReply> => {
      const visit = await visitOf(request.params.token, langOf(request));
      return visit ? await handle(visit, request, reply) : notFound(request, reply);
    };

  const toRequest = ({ token, lang }: Visit, reply: FastifyReply): FastifyReply =>
    reply.header('cache-control', 'no-store').redirect(withLang(checkoutPath(token), lang), 303);

  const answer = async (visit: Visit, posted: PostOutcome, reply: FastifyReply) => {
    switch (posted.outcome) {
      case 'faulty':
        return send(reply, 400, await statePage(visit, parts, posted.form));
      case 'unpayable': {
        // Read again: what stood in the way may have happened meanwhile.
        const now = (await visitOf(visit.token, visit.lang)) ?? visit;
        return send(reply, 409, await statePage(now, parts));
      }
      default:
        return reply.redirect(targetOf(visit, posted.outcome), 303);
    }
  };

  app.get<TokenRequest>(
    '/:token',
    hidden,
    onVisit(async (visit, _request, reply) => send(reply, 200, await statePage(visit, parts))),
  );
  app.post<TokenRequest>(
    '/:token',
    hidden,
    onVisit(async (visit, request, reply) =>
      answer(visit, await payHere(visit, postedIn(request.body), parts), reply),
    ),
  );
  if (parts.sandbox) {
    app.post<TokenRequest>(
      '/:token/simulate',
      hidden,
      onVisit(async (visit, request, reply) =>
        answer(visit, await simulate(visit, postedIn(request.body), parts), reply),
      ),
    );
  }
  app.get<TokenRequest>(
    '/:token/receipt',
    hidden,
    onVisit(async (visit, _request, reply) => {
      const paid = stateOn(visit.row, visit.today) === 'paid' && collectedIn(visit);
      if (!paid) return toRequest(visit, reply);
      return send(reply, 200, receiptPage(receiptModel(visit, paid, parts.sandbox)));
    }),
  );
  app.get<TokenRequest>(
    '/:token/rejected',
    hidden,
    onVisit(async (visit, _request, reply) => {
      const refused = visit.results.findLast((one) => one.type === 'rejected');
      if (!refused || stateOn(visit.row, visit.today) !== 'pending') return toRequest(visit, reply);
      return send(reply, 200, rejectedPage(rejectedModel(visit, refused, parts.sandbox)));
    }),
  );
}

/** The pages on which payers pay (interface 2.2, checkout_url). */
export async function checkoutRoutes(app: App, parts: CheckoutRouteParts): Promise<void> {
  await app.register(
    async (pages) => {
      // Browsers send forms; nothing else is read here.
      pages.removeAllContentTypeParsers();
      await pages.register(formbody, { bodyLimit: formLimitBytes });
      failurePages(pages);
      pageRoutes(pages, parts);
    },
    { prefix: '/checkout' },
  );
}
