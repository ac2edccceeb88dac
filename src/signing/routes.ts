import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/index.ts';
import { isolated } from '../kernel/text.ts';
import {
  comments,
  type Letter,
  lastDayToSign,
  type MandateKey,
  type MandateKind,
  type MandateRow,
  type MandateVerbs,
  maskedInstrument,
  type Signer,
} from '../mandates/index.ts';
import { payer } from '../platform/actor.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import { errorAnswer } from '../platform/http/answers.ts';
import type { App } from '../platform/http/server.ts';
import type { Links } from '../platform/links.ts';
import { linkMark } from '../platform/mail/queue.ts';
import { styles } from '../platform/pages/assets.ts';
import { cuitText, momentText } from '../platform/pages/format.ts';
import type { Lang, PageModel } from '../platform/pages/model.ts';
import { type Subject, texts } from './texts.ts';
import {
  answers,
  confirmPage,
  failurePage,
  type MandateModel,
  type Outcome,
  outcomePage,
  signPage,
} from './views.tsx';

export interface SigningParts {
  mandates: MandateVerbs;
  links: Links;
  business: BusinessClock;
  sandbox: boolean;
  readAccount(id: string): Promise<Account | null>;
}

interface TokenRequest {
  Params: { token: string };
}

interface Visit {
  key: MandateKey;
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
  issuerCuit: cuitText(account.cuit),
  instrument: maskedInstrument(row),
  payer: row.payer,
  description: row.description,
  reference: row.reference,
});

const localized = ({ lang, path }: Visit): string => (lang === 'en' ? `${path}?lang=en` : path);

const modelOf = (visit: Visit, sandbox: boolean): MandateModel => ({
  ...pageModel(visit.lang, visit.path),
  issuer: { name: visit.account.name, cuit: visit.account.cuit },
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

/** What the mandate's address shows, by its state and the clock. */
async function statePage(
  visit: Visit,
  { mandates, business, sandbox }: SigningParts,
): Promise<string> {
  const { row, key } = visit;
  const model = modelOf(visit, sandbox);
  if (row.state === 'pending_to_sign') {
    return isLate(row, business)
      ? outcomePage(model, 'expired', { signed: null, endedAt: null })
      : signPage(model, lastDayToSign(row));
  }
  const evidence = row.signed_at && (await mandates.evidenceOf(key));
  const signed =
    row.signed_at && evidence ? { at: row.signed_at, text: evidence.text.split('\n') } : null;
  const outcome = row.state === 'signed' ? 'signed' : endings[row.state_comment ?? ''];
  return outcomePage(model, outcome ?? 'canceled', { signed, endedAt: row.canceled_at });
}

/** Whether the link's time is over; from its last moment on it is. */
export const isLate = (
  row: Pick<MandateRow, 'sign_before'>,
  business: Pick<BusinessClock, 'now'>,
): boolean => Temporal.Instant.compare(row.sign_before, business.now()) <= 0;

/** Where the page of a failure offers the other language: at its own address. */
const addressOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? '/';

/** The copy that the holder gets of what he did. */
function copyOf(visit: Visit, what: 'signed' | 'revoked', { business }: SigningParts): Letter {
  const { row, account, lang } = visit;
  const { subject, body } = texts[lang].copies[what];
  const issuer = isolated(account.name);
  return {
    recipient: row.email,
    subject: subject(issuer),
    body: body({
      issuer,
      number: String(row.id),
      moment: momentText(lang, business.now()),
      text: texts[lang].statement(subjectOf(visit)).join('\n\n'),
      url: linkMark + localized(visit).slice(visit.path.length),
    }),
    link: { kind: row.kind, id: row.id, no: row.link_no },
  };
}

/** Does what was answered. Too late or answered before: the page that follows says what holds. */
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
    text: texts[lang].statement(subjectOf(visit)).join('\n'),
  };
  const answering = parts.mandates.answer;
  if (answer === 'revoke_confirmed') {
    const copy = copyOf(visit, 'revoked', parts);
    await answering.revoke({ ...signer, text: texts[lang].confirmRevoke.yes, copy });
  } else if (!isLate(row, parts.business)) {
    if (answer === 'decline_confirmed') await answering.decline(signer);
    else await answering.sign({ ...signer, copy: copyOf(visit, 'signed', parts) });
  }
}

/** Whether there is still something that such an answer would end. */
const isOpenFor = ({ row }: Visit, answer: 'decline' | 'revoke', business: BusinessClock) =>
  answer === 'revoke'
    ? row.state === 'signed'
    : row.state === 'pending_to_sign' && !isLate(row, business);

/** Why a link leads to no mandate; null: nobody made it. */
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
    // Also for a mandate that was answered: an old link went to somebody else, perhaps.
    if (row.link_no !== named.no) return 'replaced';
    // A suspended or closed account gets no new mandates; what was signed can still be revoked.
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

  app.get<TokenRequest>(`${prefix}/:token`, hidden, async (request, reply) => {
    const visit = await visitOf(request.params.token, langOf(request));
    if (visit === null || typeof visit === 'string') return leadsNowhere(visit, request, reply);
    return send(reply, 200, await statePage(visit, parts));
  });

  app.post<TokenRequest>(`${prefix}/:token`, hidden, async (request, reply) => {
    const visit = await visitOf(request.params.token, langOf(request));
    if (visit === null || typeof visit === 'string') return leadsNowhere(visit, request, reply);
    const sent = (request.body as { answer?: unknown } | null)?.answer;
    const answer = answers.find((one) => one === sent);
    if (!answer) return send(reply, 400, await statePage(visit, parts));
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

/** The pages on which holders sign or decline mandates. */
export async function signingRoutes(app: App, parts: SigningParts): Promise<void> {
  await app.register(async (pages) => {
    // Browsers send forms; nothing else is read here.
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
