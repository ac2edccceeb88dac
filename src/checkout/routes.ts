import { randomUUID } from 'node:crypto';
import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../accounts/index.ts';
import { type ChannelCode, channelCodes, channels } from '../collections/index.ts';
import type { PaymentRequests } from '../payment-requests/index.ts';
import type { BusinessClock } from '../platform/clocks.ts';
import { Refusal } from '../platform/errors.ts';
import { errorAnswer } from '../platform/http/answers.ts';
import type { App } from '../platform/http/server.ts';
import { amountDue, stateOn } from '../requests/index.ts';
import { assetRoutes } from './assets.ts';
import { type Posted, readInstrument } from './form.ts';
import {
  allowedPlans,
  type CheckoutParts,
  checkoutPath,
  pageModel,
  payModel,
  receiptModel,
  rejectionReason,
  requestModel,
  type Visit,
} from './page.ts';
import type { FieldName, FormState, Lang } from './views/model.ts';
import {
  closedPage,
  errorPage,
  expiredPage,
  notFoundPage,
  paidPage,
  pendingPage,
  receiptPage,
  rejectedPage,
} from './views/outcome.tsx';
import { payPage } from './views/pay.tsx';

export interface CheckoutRouteParts extends CheckoutParts {
  requests: PaymentRequests;
  readAccount(id: string): Promise<Account | null>;
  business: BusinessClock;
}

interface TokenRequest {
  Params: { token: string };
  Querystring: { lang?: string };
}

const html = 'text/html; charset=utf-8';
const hidden = { schema: { hide: true } };

const langOf = (posted: unknown, query: unknown): Lang => {
  const named = [posted, query].map((one) => (one as { lang?: unknown } | undefined)?.lang);
  return named.includes('en') ? 'en' : 'es';
};

const withLang = (path: string, lang: Lang): string =>
  lang === 'es' ? path : `${path}?lang=${lang}`;

/** The values worth showing again: never the card's number or code. */
const keptFields: FieldName[] = [
  'card_holder_name',
  'expiry',
  'holder_email',
  'installments',
  'account',
  'holder_cuit',
];

const kept = (posted: Posted): FormState['values'] =>
  Object.fromEntries(
    keptFields.flatMap((name) => (posted[name] === undefined ? [] : [[name, posted[name]]])),
  );

const isChargedHere = (code: ChannelCode): code is 'credit_card' | 'debit_card' | 'DEBIN' =>
  code === 'credit_card' || code === 'debit_card' || code === 'DEBIN';

const channelIn = (posted: Posted): ChannelCode => {
  const code = channelCodes.find((one) => one === posted['channel']);
  if (code) return code;
  throw new Refusal('malformed', 'The form names no channel that is known.');
};

/** The pages on which payers pay (interface 2.2, checkout_url). */
export async function checkoutRoutes(app: App, parts: CheckoutRouteParts): Promise<void> {
  const { requests, business, links, sandbox } = parts;
  await app.register(formbody, { bodyLimit: 64 * 1024 });
  assetRoutes(app);

  const visitOf = async (token: string, lang: Lang): Promise<Visit | null> => {
    const key = links.keyOf(token);
    const found = key && (await requests.find(key));
    const account = found && (await parts.readAccount(found.row.account_id));
    if (!found || !account) return null;
    return { ...found, account, token, lang, today: business.today() };
  };

  const keyOf = ({ row }: Visit) => ({ accountId: row.account_id, id: row.id });

  const send = (reply: FastifyReply, status: number, page: string): FastifyReply =>
    reply.code(status).type(html).header('cache-control', 'no-store').send(page);

  /** What a request's address shows, by its state and an open attempt. */
  const statePage = async (visit: Visit, form: FormState | null): Promise<string> => {
    const { row, results } = visit;
    const model = requestModel(visit, sandbox);
    switch (stateOn(row, visit.today)) {
      case 'paid': {
        const paid = results.findLast((result) => result.type === 'collected');
        return paidPage({ ...model, ...(paid && { paidOn: paid.informed_on }) });
      }
      case 'expired':
        return expiredPage({ ...model, lastDay: row.last_due });
      case 'reverted':
      case 'refunded':
        return closedPage(model);
      case 'pending':
        return (await requests.hasOpenAttempt(keyOf(visit)))
          ? pendingPage({ ...model, amount: amountDue(row, visit.today) })
          : payPage(await payModel(visit, parts, form));
    }
  };

  const notFound = (reply: FastifyReply, lang: Lang, path: string): FastifyReply =>
    send(reply, 404, notFoundPage(pageModel(lang, path)));

  type PageHandler<R> = (visit: Visit, request: R, reply: FastifyReply) => Promise<FastifyReply>;

  const onVisit =
    (handle: PageHandler<FastifyRequest<TokenRequest>>) =>
    async (request: FastifyRequest<TokenRequest>, reply: FastifyReply): Promise<FastifyReply> => {
      const { token } = request.params;
      const lang = langOf(request.body, request.query);
      const visit = await visitOf(token, lang);
      return visit ? handle(visit, request, reply) : notFound(reply, lang, checkoutPath(token));
    };

  /** After an attempt: to the collector's page where there is one, else to ours. */
  const leave = (
    visit: Visit,
    outcome: 'approved' | 'pending' | 'rejected',
    reply: FastifyReply,
  ) => {
    const { details } = visit.row;
    const path = checkoutPath(visit.token);
    const target = {
      approved: details.back_url_success ?? withLang(`${path}/receipt`, visit.lang),
      pending: details.back_url_pending ?? withLang(path, visit.lang),
      rejected: details.back_url_rejected ?? withLang(`${path}/rejected`, visit.lang),
    }[outcome];
    return reply.redirect(target, 303);
  };

  /** A refusal (paid meanwhile, an attempt under way) shows what the request is now. */
  const payOrShow = async (
    visit: Visit,
    reply: FastifyReply,
    pay: () => Promise<'approved' | 'pending' | 'rejected'>,
  ): Promise<FastifyReply> => {
    try {
      return leave(visit, await pay(), reply);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      const now = (await visitOf(visit.token, visit.lang)) ?? visit;
      return send(reply, 409, await statePage(now, null));
    }
  };

  app.get<TokenRequest>(
    '/checkout/:token',
    hidden,
    onVisit(async (visit, _request, reply) => send(reply, 200, await statePage(visit, null))),
  );

  app.post<TokenRequest>(
    '/checkout/:token',
    hidden,
    onVisit(async (visit, request, reply) => {
      const posted = (request.body ?? {}) as Posted;
      const channel = channelIn(posted);
      const { row, today } = visit;
      if (!isChargedHere(channel) || stateOn(row, today) !== 'pending') {
        return send(reply, 409, await statePage(visit, null));
      }
      const amount = amountDue(row, today);
      const plans = await allowedPlans(parts.sql, row, amount);
      const read = readInstrument(channel, posted, { amount, plans, today });
      if ('faults' in read) {
        const form = { channel, faults: read.faults, values: kept(posted) };
        return send(reply, 400, await statePage(visit, form));
      }
      return await payOrShow(visit, reply, async () => {
        const payment = { channel, instrument: read.instrument, actor: 'payer' };
        return (await requests.pay.online(keyOf(visit), payment)).outcome;
      });
    }),
  );

  if (sandbox) {
    app.post<TokenRequest>(
      '/checkout/:token/simulate',
      hidden,
      onVisit(async (visit, request, reply) => {
        const channel = channelIn((request.body ?? {}) as Posted);
        return await payOrShow(visit, reply, async () => {
          if (channels[channel].online) {
            const instrument = { type: 'wallet' } as const;
            const payment = { channel, instrument, actor: 'payer' };
            return (await requests.pay.online(keyOf(visit), payment)).outcome;
          }
          await requests.pay.offline(keyOf(visit), {
            channel,
            amount: amountDue(visit.row, visit.today),
            paidAt: business.now(),
            source: 'simulator',
            sourceRef: randomUUID(),
            actor: 'payer',
          });
          return 'approved';
        });
      }),
    );
  }

  app.get<TokenRequest>(
    '/checkout/:token/receipt',
    hidden,
    onVisit(async (visit, _request, reply) => {
      const paid = visit.results.findLast((result) => result.type === 'collected');
      if (!paid) return reply.redirect(withLang(checkoutPath(visit.token), visit.lang), 303);
      return send(reply, 200, receiptPage(receiptModel(visit, paid, sandbox)));
    }),
  );

  app.get<TokenRequest>(
    '/checkout/:token/rejected',
    hidden,
    onVisit(async (visit, _request, reply) => {
      const reason = rejectionReason(visit.results.findLast((one) => one.type === 'rejected'));
      return send(reply, 200, rejectedPage({ ...requestModel(visit, sandbox), reason }));
    }),
  );

  app.setErrorHandler((error, request, reply) => {
    const { answer, expected } = errorAnswer(error);
    if (!expected) app.log.error({ err: error, requestId: request.id }, 'a page failed');
    const model = pageModel(langOf(request.body, request.query), '/');
    const kind = answer.code === 503 ? 'busy' : 'failed';
    return send(reply, answer.code, errorPage({ ...model, kind, requestId: request.id }));
  });
}
