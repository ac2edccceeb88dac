import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { issuerOf } from '../accounts/index.ts';
import {
  comments,
  lastDayToSign,
  type MandateKind,
  type MandateRow,
  type Signer,
} from '../mandates/index.ts';
import { payer } from '../platform/actor.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import { errorAnswer } from '../platform/http/answers.ts';
import type { App } from '../platform/http/server.ts';
import { allowFrames } from '../platform/pages/frames.ts';
import type { Lang, PageModel } from '../platform/pages/model.ts';
import { assetPaths } from './assets.ts';
import { handOver, signWay } from './card.ts';
import { statementOf, texts } from './texts.ts';
import {
  answers,
  confirmPage,
  failurePage,
  type MandateModel,
  type Outcome,
  outcomePage,
  signPage,
  waitingPage,
} from './views.tsx';
import { copyOf, isUnnamed, localized, type SigningParts, subjectOf, type Visit } from './visit.ts';

interface TokenRequest {
  Params: { token: string };
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
  assets: assetPaths,
  pageUrl: path,
});

const modelOf = (visit: Visit, sandbox: boolean): MandateModel => ({
  ...pageModel(visit.lang, visit.path),
  issuer: issuerOf(visit.account),
  id: visit.row.id,
  sandbox,
  subject: subjectOf(visit),
  action: localized(visit),
});

const endings: Readonly<Record<string, Outcome>> = {
  [comments.unsigned]: 'expired',
  [comments.declined]: 'declined',
  [comments.revoked]: 'revoked',
};

interface SigningPage {
  page: string;
  /** Origin of the embedded frame. */
  frame?: string;
  /** True if the page reloads itself. */
  again?: boolean;
}

async function pendingPage(visit: Visit, parts: SigningParts): Promise<SigningPage> {
  const { row } = visit;
  const model = modelOf(visit, parts.sandbox);
  if (isLate(row, parts.business)) {
    return { page: outcomePage(model, 'expired', { signed: null, endedAt: null }) };
  }
  const way = await signWay(visit, parts);
  if (way === 'waiting') return { page: waitingPage(model), again: true };
  const page = signPage(model, lastDayToSign(row), way);
  return { page, ...(typeof way === 'object' && { frame: way.origin }) };
}

/** Renders the page for a mandate's state at this time. */
async function statePage(visit: Visit, parts: SigningParts): Promise<SigningPage> {
  const { mandates, sandbox } = parts;
  const { row, key } = visit;
  const model = modelOf(visit, sandbox);
  if (row.state === 'pending_to_sign') return await pendingPage(visit, parts);
  const evidence = row.signed_at && (await mandates.evidenceOf(key));
  const signed =
    row.signed_at && evidence ? { at: row.signed_at, text: evidence.text.split('\n') } : null;
  const outcome = row.state === 'signed' ? 'signed' : endings[row.state_comment ?? ''];
  return { page: outcomePage(model, outcome ?? 'canceled', { signed, endedAt: row.canceled_at }) };
}

/** Returns true if the link has expired, including at its last instant. */
export const isLate = (
  row: Pick<MandateRow, 'sign_before'>,
  business: Pick<BusinessClock, 'now'>,
): boolean => Temporal.Instant.compare(row.sign_before, business.now()) <= 0;

/** Returns the address at which a failure page offers the other language. */
const addressOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/';

/**
 * Carries out the holder's answer. Ignores answers that are late or repeated, after which the next
 * page shows the actual state.
 */
async function act(
  visit: Visit,
  answer: 'accept' | 'decline_confirmed' | 'revoke_confirmed',
  request: FastifyRequest,
  parts: SigningParts,
): Promise<void> {
  const { row, key, lang } = visit;
  const signer: Signer = {
    key,
    actor: payer,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    text: statementOf(lang, subjectOf(visit)).join('\n'),
  };
  const answering = parts.mandates.answer;
  if (answer === 'revoke_confirmed') {
    const copy = copyOf(visit, 'revoked', parts);
    await answering.revoke({ ...signer, text: texts[lang].confirmRevoke.yes, copy });
  } else if (!isLate(row, parts.business)) {
    if (answer === 'decline_confirmed') await answering.decline(signer);
    else if (isUnnamed(row)) await handOver(visit, signer, request, parts);
    else await answering.sign({ ...signer, copy: copyOf(visit, 'signed', parts) });
  }
}

/** Returns true if the answer would end the mandate in its current state. */
const isOpenFor = ({ row }: Visit, answer: 'decline' | 'revoke', business: BusinessClock) =>
  answer === 'revoke'
    ? row.state === 'signed'
    : row.state === 'pending_to_sign' && !isLate(row, business);

/** Why a link leads to no mandate. Null for links that we never issued. */
type Nowhere = 'replaced' | 'unavailable' | null;
const nowhere = { notFound: 404, replaced: 410, unavailable: 403 } as const;

function routesOf(app: App, kind: MandateKind, prefix: string, parts: SigningParts): void {
  const { mandates, links, readAccount, business } = parts;

  const visitOf = async (token: string, lang: Lang): Promise<Visit | Nowhere> => {
    const named = links.keyOf(token, kind);
    if (!named) return null;
    const key = { accountId: named.accountId, id: named.id, kind };
    const row = await mandates.find(key);
    const account = row && (await readAccount(row.account_id));
    if (!row || !account) return null;
    // Also for an answered mandate, because the old link may have gone to another person.
    if (row.link_no !== named.no) return 'replaced';
    // Suspended and closed accounts get no new mandates, but holders can still revoke signed ones.
    if (account.state !== 'active' && row.state === 'pending_to_sign') return 'unavailable';
    return { key, row, account, lang, path: `${prefix}/${token}` };
  };

  const leadsNowhere = (
    visit: Nowhere,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply => {
    const page = pageModel(langOf(request), addressOf(request));
    return send(reply, nowhere[visit ?? 'notFound'], failurePage(page, visit ?? 'notFound'));
  };

  const show = async (visit: Visit, reply: FastifyReply, status: number): Promise<FastifyReply> => {
    const { page, frame, again = false } = await statePage(visit, parts);
    if (frame !== undefined) allowFrames(reply, [frame]);
    if (again) reply.header('refresh', `10; url=${localized(visit)}`);
    return send(reply, status, page);
  };

  app.get<TokenRequest>(`${prefix}/:token`, hidden, async (request, reply) => {
    const visit = await visitOf(request.params.token, langOf(request));
    if (visit === null || typeof visit === 'string') return leadsNowhere(visit, request, reply);
    return await show(visit, reply, 200);
  });

  app.post<TokenRequest>(`${prefix}/:token`, hidden, async (request, reply) => {
    const visit = await visitOf(request.params.token, langOf(request));
    if (visit === null || typeof visit === 'string') return leadsNowhere(visit, request, reply);
    const sent = (request.body as { answer?: unknown } | null)?.answer;
    const answer = answers.find((one) => one === sent);
    if (!answer) return await show(visit, reply, 400);
    if (answer === 'decline' || answer === 'revoke') {
      if (isOpenFor(visit, answer, business)) {
        return send(reply, 200, confirmPage(modelOf(visit, parts.sandbox), answer));
      }
    } else {
      await act(visit, answer, request, parts);
    }
    return reply.header('cache-control', 'no-store').redirect(localized(visit), 303);
  });
}

/** Serves the pages on which holders sign, decline or revoke mandates. */
export async function signingRoutes(app: App, parts: SigningParts): Promise<void> {
  await app.register(async (pages) => {
    // Browsers send forms, so accept no other content type.
    pages.removeAllContentTypeParsers();
    await pages.register(formbody, { bodyLimit: formLimitBytes });
    pages.setErrorHandler((error, request, reply) => {
      const { answer, expected, retryAfter } = errorAnswer(error);
      if (!expected) app.log.error({ err: error, requestId: request.id }, 'a page failed');
      if (retryAfter !== null) reply.header('retry-after', retryAfter);
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
