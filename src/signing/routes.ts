import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/index.ts';
import { isCardBrand } from '../kernel/card-number.ts';
import { isoDateTime } from '../kernel/dates.ts';
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
import { cardBrands } from '../money/channels/index.ts';
import { payer } from '../platform/actor.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import { errorAnswer } from '../platform/http/answers.ts';
import type { App } from '../platform/http/server.ts';
import type { Links } from '../platform/links.ts';
import { linkMark } from '../platform/mail/queue.ts';
import { cuitText, momentText } from '../platform/pages/format.ts';
import { allowFrames } from '../platform/pages/frames.ts';
import type { Lang, PageModel } from '../platform/pages/model.ts';
import { assetPaths } from './assets.ts';
import { type Subject, texts } from './texts.ts';
import {
  answers,
  confirmPage,
  failurePage,
  type MandateModel,
  type Outcome,
  outcomePage,
  type SignWay,
  signPage,
  waitingPage,
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
  assets: assetPaths,
  pageUrl: path,
});

/** Whether its holder is asked for the card as he signs. */
const isUnnamed = (row: MandateRow): boolean =>
  row.kind === 'card_adhesion' && row.keeps_card && row.details.last_four === undefined;

const subjectOf = ({ row, account, lang }: Visit): Subject => ({
  issuer: account.name,
  issuerCuit: cuitText(account.cuit),
  instrument: isUnnamed(row) ? texts[lang].card.unnamed : maskedInstrument(row),
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

/** How the holder says yes; `waiting`: his card is on its way. */
async function signWay(
  { row, key, lang }: Visit,
  { mandates: { cards }, links }: SigningParts,
): Promise<SignWay | 'waiting'> {
  if (!isUnnamed(row)) return 'button';
  const standing = await cards.standing(key);
  if (standing === 'sent') return 'waiting';
  const way = cards.way();
  if (!way) return 'unavailable';
  const url = new URL(way.frame.url);
  url.searchParams.set('lang', lang);
  url.searchParams.set('parent', links.origin);
  const { origin } = way.frame;
  return { connector: way.connector, url: url.href, origin, refused: standing === 'refused' };
}

interface Shown {
  page: string;
  /** The origin of the frame that it holds. */
  frame?: string;
  /** Whether it is read again by itself. */
  again?: boolean;
}

async function pendingPage(visit: Visit, parts: SigningParts): Promise<Shown> {
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

/** What the mandate's address shows, by its state and the clock. */
async function statePage(visit: Visit, parts: SigningParts): Promise<Shown> {
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

const tokenShape = /^[!-~]{1,512}$/;

/** Has the card kept that the frame handed over; the mandate is signed with it. */
async function handOver(
  visit: Visit,
  signer: Signer,
  { body }: FastifyRequest,
  parts: SigningParts,
): Promise<void> {
  const posted = Object(body) as Record<string, unknown>;
  const text = (name: string): string => (typeof posted[name] === 'string' ? posted[name] : '');
  const token = text('token');
  // What could be a number is none of ours.
  if (!tokenShape.test(token) || /\d{12}/.test(token.replace(/[ -]/g, ''))) return;
  const { address, userAgent } = signer;
  const brand = text('brand');
  const lastFour = /^[0-9]{4}$/.test(text('last_four')) ? text('last_four') : null;
  const shown =
    isCardBrand(brand) && lastFour ? `${cardBrands[brand].label} •••• ${lastFour}` : null;
  const subject = { ...subjectOf(visit), ...(shown !== null && { instrument: shown }) };
  await parts.mandates.cards.handOver({
    key: visit.key,
    connector: text('connector'),
    token: {
      token,
      brand: isCardBrand(brand) ? brand : null,
      bin: /^[0-9]{6,8}$/.test(text('bin')) ? text('bin') : null,
      lastFour,
      holderName: text('card_holder_name').slice(0, 255) || null,
    },
    payer: { name: visit.row.payer, email: visit.row.email, ip: address, userAgent },
    signing: {
      evidence: {
        at: isoDateTime(parts.business.now()),
        address,
        user_agent: userAgent.slice(0, 500),
        text: texts[visit.lang].statement(subject).join('\n'),
      },
      copy: copyOf(visit, 'signed', parts),
    },
  });
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
    else if (isUnnamed(row)) await handOver(visit, signer, request, parts);
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
