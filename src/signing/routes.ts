import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/index.ts';
import { dayOf } from '../kernel/dates.ts';
import {
  type Adhesions,
  comments,
  type MandateKind,
  type MandateRow,
  maskedInstrument,
} from '../mandates/index.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import { errorAnswer } from '../platform/http/answers.ts';
import type { App } from '../platform/http/server.ts';
import type { Links } from '../platform/links.ts';
import { styles } from '../platform/pages/assets.ts';
import type { Lang, PageModel } from '../platform/pages/model.ts';
import { type Subject, texts } from './texts.ts';
import { failurePage, type MandateModel, outcomePage, signPage } from './views.tsx';

export interface SigningParts {
  adhesions: Adhesions;
  links: Links;
  business: BusinessClock;
  sandbox: boolean;
  readAccount(id: string): Promise<Account | null>;
}

interface TokenRequest {
  Params: { token: string };
}

interface Visit {
  row: MandateRow;
  account: Account;
  lang: Lang;
  path: string;
}

const hidden = { schema: { hide: true } };
const formLimitBytes = 16 * 1024;

const langOf = ({ body, query }: Pick<FastifyRequest, 'body' | 'query'>): Lang => {
  const named = [body, query].map((one) => (one as { lang?: unknown } | null | undefined)?.lang);
  return named.includes('en') ? 'en' : 'es';
};

const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(page);

const pageModel = (lang: Lang, path: string): PageModel => ({
  lang,
  assets: { css: styles.path },
  pageUrl: path,
});

const subjectOf = ({ row, account }: Visit): Subject => ({
  issuer: account.name,
  issuerCuit: account.cuit,
  instrument: maskedInstrument(row),
  payer: row.payer,
  description: row.description,
});

const modelOf = (visit: Visit, sandbox: boolean): MandateModel => ({
  ...pageModel(visit.lang, visit.path),
  issuer: { name: visit.account.name, cuit: visit.account.cuit },
  id: visit.row.id,
  sandbox,
  subject: subjectOf(visit),
  lastDay: dayOf(visit.row.sign_before),
});

/** What the mandate's address shows, by its state and the clock. */
function statePage(visit: Visit, { business, sandbox }: SigningParts): string {
  const { row } = visit;
  const model = modelOf(visit, sandbox);
  if (row.state === 'signed') return outcomePage(model, 'signed');
  if (row.state === 'canceled') {
    if (row.state_comment === comments.unsigned) return outcomePage(model, 'expired');
    return outcomePage(model, row.state_comment === comments.declined ? 'declined' : 'canceled');
  }
  return isLate(row, business) ? outcomePage(model, 'expired') : signPage(model);
}

const isLate = (row: MandateRow, business: BusinessClock): boolean =>
  Temporal.Instant.compare(row.sign_before, business.now()) <= 0;

/** Where the page of a failure offers the other language: at its own address. */
const addressOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/';

function routesOf(app: App, kind: MandateKind, prefix: string, parts: SigningParts): void {
  const { adhesions, links, readAccount } = parts;

  const visitOf = async (token: string, lang: Lang): Promise<Visit | null> => {
    const key = links.keyOf(token, kind);
    const row = key && (await adhesions.find({ ...key, kind }));
    const account = row && (await readAccount(row.account_id));
    return account ? { row, account, lang, path: `${prefix}/${token}` } : null;
  };

  const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    send(reply, 404, failurePage(pageModel(langOf(request), addressOf(request)), 'notFound'));

  app.get<TokenRequest>(`${prefix}/:token`, hidden, async (request, reply) => {
    const visit = await visitOf(request.params.token, langOf(request));
    return visit ? send(reply, 200, statePage(visit, parts)) : notFound(request, reply);
  });

  app.post<TokenRequest>(`${prefix}/:token`, hidden, async (request, reply) => {
    const visit = await visitOf(request.params.token, langOf(request));
    if (!visit) return notFound(request, reply);
    const answer = (request.body as { answer?: unknown } | null)?.answer;
    if (answer !== 'accept' && answer !== 'decline') {
      return send(reply, 400, statePage(visit, parts));
    }
    const { row, lang } = visit;
    // Too late or answered before: the page that follows says what holds.
    if (!isLate(row, parts.business)) {
      await adhesions.answer[answer === 'accept' ? 'sign' : 'decline']({
        key: { accountId: row.account_id, kind, id: row.id },
        actor: 'payer',
        address: request.ip,
        userAgent: request.headers['user-agent'] ?? '',
        text: texts[lang].statement(subjectOf(visit)).join('\n'),
      });
    }
    const target = lang === 'en' ? `${visit.path}?lang=en` : visit.path;
    return reply.header('cache-control', 'no-store').redirect(target, 303);
  });
}

/** The pages on which holders sign or decline mandates. */
export async function signingRoutes(app: App, parts: SigningParts): Promise<void> {
  await app.register(async (pages) => {
    // Browsers send forms; nothing else is read here.
    pages.removeAllContentTypeParsers();
    await pages.register(formbody, { bodyLimit: formLimitBytes });
    pages.setErrorHandler((error, request, reply) => {
      const { answer, expected } = errorAnswer(error);
      if (!expected) app.log.error({ err: error, requestId: request.id }, 'a page failed');
      if (answer.code === 503) reply.header('retry-after', '1');
      const kind = answer.code === 404 ? 'notFound' : 'failed';
      return send(
        reply,
        answer.code,
        failurePage(pageModel(langOf(request), addressOf(request)), kind),
      );
    });
    routesOf(pages, 'adhesion', '/sign/adhesion', parts);
    routesOf(pages, 'card_adhesion', '/sign/card-adhesion', parts);
  });
}
