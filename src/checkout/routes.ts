import formbody from '@fastify/formbody';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { allows } from '../payment-requests/index.ts';
import { addressOf } from '../platform/http/callers.ts';
import type { App } from '../platform/http/server.ts';
import { allowFrames } from '../platform/pages/frames.ts';
import { stateOn } from '../requests/index.ts';
import { backUrlOf } from './back.ts';
import { barcodeModel, sendQr, sendReceipt } from './documents.ts';
import { failurePages, send } from './failures.ts';
import { leftForm } from './form.ts';
import { pausedModel, receiptModel, rejectedModel } from './outcome-models.ts';
import {
  checkoutPath,
  collectedIn,
  keyOf,
  receiptPath,
  rejectedPath,
  returnPath,
  type Visit,
  withLang,
} from './page.ts';
import { channelIn, checkForm, type PostOutcome, payHere, simulate } from './pay-here.ts';
import { handedOn, postedOf } from './posted.ts';
import { actionOf, statePage, waits } from './state-page.ts';
import { barcodePage } from './views/barcode.tsx';
import type { FormState } from './views/model.ts';
import { pausedPage, receiptPage, rejectedPage } from './views/outcome.tsx';
import { type TokenRequest, type Visiting, type VisitParts, visiting } from './visiting.ts';

const hidden = { schema: { hide: true } };
const formLimitBytes = 64 * 1024;

/** Returns the next page after an attempt: the collector's if set, else ours. */
function targetOf({ row, token, lang }: Visit, outcome: 'approved' | 'pending' | 'rejected') {
  const [state, ours] = {
    approved: ['paid', receiptPath(token)] as const,
    pending: ['pending', checkoutPath(token)] as const,
    rejected: ['rejected', rejectedPath(token)] as const,
  }[outcome];
  return backUrlOf(row, state) ?? withLang(ours, lang);
}

/** Next page of a returning payer, by outcome. Outcomes not listed are still pending. */
const decidedAs: Readonly<Partial<Record<string, 'approved' | 'rejected'>>> = {
  approved: 'approved',
  rejected: 'rejected',
  canceled: 'rejected',
};

const browserOf = (request: FastifyRequest) => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent'] ?? null,
});

/** Returns true for a visit of the page, false for prefetches and signed-in staff. */
const isPayer = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' &&
  !/prefetch|prerender/i.test(String(headers['sec-purpose'] ?? headers.purpose ?? '')) &&
  !/(^|[ ;_-])recaudo_session=/.test(headers.cookie ?? '');

/** Reload interval in seconds of a page that waits for an outcome, with or without scripts. */
const readAgainAfter = 10;

/**
 * Sends the page for the request's current state. A page that waits for an outcome reloads itself,
 * unless the payer is still in an acquirer's frame.
 */
async function sendState(
  visit: Visit,
  reply: FastifyReply,
  status: number,
  parts: VisitParts,
  form: FormState | null = null,
): Promise<FastifyReply> {
  const action = waits(visit) ? actionOf(visit, parts) : null;
  if (waits(visit) && action?.kind !== 'frame') {
    // While the payer has a step to take, reload through the return page, which asks the channel
    // for the outcome. Other outcomes arrive without being asked for.
    const path = action ? returnPath(visit.token) : checkoutPath(visit.token);
    reply.header('refresh', `${readAgainAfter}; url=${withLang(path, visit.lang)}`);
  }
  const { page, frames } = await statePage(visit, parts, form);
  allowFrames(reply, frames);
  return send(reply, status, page);
}

const toRequest = ({ token, lang }: Visit, reply: FastifyReply): FastifyReply =>
  reply.header('cache-control', 'no-store').redirect(withLang(checkoutPath(token), lang), 303);

/** Serves the page of a request and its forms. */
function payRoutes(app: App, parts: VisitParts, { visitOf, onVisit }: Visiting): void {
  const answer = async (visit: Visit, posted: PostOutcome, reply: FastifyReply) => {
    switch (posted.outcome) {
      case 'faulty':
        return await sendState(visit, reply, 400, parts, posted.form);
      case 'paused': {
        const { until, retryAfterSeconds } = posted.paused;
        if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
        return send(reply, 429, pausedPage(pausedModel(visit, until, parts.sandbox)));
      }
      case 'unpayable': {
        // Read again, because the obstacle may be gone.
        const now = (await visitOf(visit.token, visit.lang)) ?? visit;
        return await sendState(now, reply, 409, parts);
      }
      case 'action_required': {
        const { kind, url } = posted.action;
        const ours = withLang(checkoutPath(visit.token), visit.lang);
        return reply.redirect(kind === 'redirect' && url ? url : ours, 303);
      }
      default:
        return reply.redirect(targetOf(visit, posted.outcome), 303);
    }
  };

  app.get<TokenRequest>(
    '/:token',
    hidden,
    onVisit((visit, request, reply) => {
      // Not awaited, so that the payer does not wait.
      if (isPayer(request)) {
        parts.requests.noteOpened(keyOf(visit)).catch((error: unknown) => {
          request.log.error(
            { err: error, requestId: request.id },
            'the opening of a checkout could not be recorded',
          );
        });
      }
      return sendState(visit, reply, 200, parts, handedOn(request));
    }),
  );
  app.post<TokenRequest>(
    '/:token',
    hidden,
    onVisit(async (visit, request, reply) =>
      answer(visit, await payHere(visit, postedOf(request), parts, browserOf(request)), reply),
    ),
  );
  if (parts.sandbox) {
    app.post<TokenRequest>(
      '/:token/simulate',
      hidden,
      onVisit(async (visit, request, reply) =>
        answer(visit, await simulate(visit, postedOf(request), parts), reply),
      ),
    );
  }
}

/** Serves calls about an unsent form: its faults, another language. */
function draftRoutes(app: App, parts: VisitParts, { onVisit }: Visiting): void {
  app.post<TokenRequest>(
    '/:token/check',
    hidden,
    onVisit(async (visit, request, reply) => {
      const form = await checkForm(visit, postedOf(request), parts);
      if (!form) return reply.code(204).header('cache-control', 'no-store').send();
      return await sendState(visit, reply, 400, parts, form);
    }),
  );
  app.post<TokenRequest>(
    '/:token/language',
    hidden,
    onVisit(async (visit, request, reply) => {
      const posted = postedOf(request);
      return await sendState(visit, reply, 200, parts, leftForm(channelIn(posted), posted));
    }),
  );
  // Payers may reload or bookmark these pages.
  for (const path of ['/:token/check', '/:token/language']) {
    app.get<TokenRequest>(
      path,
      hidden,
      onVisit(async (visit, _request, reply) => toRequest(visit, reply)),
    );
  }
}

/** Serves what follows an attempt: receipt, refusal, the payer's return and cancellation. */
function outcomeRoutes(app: App, parts: VisitParts, { onVisit }: Visiting): void {
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
    '/:token/receipt.pdf',
    hidden,
    onVisit(async (visit, _request, reply) => {
      const paid = stateOn(visit.row, visit.today) === 'paid' && collectedIn(visit);
      return paid ? await sendReceipt(visit, paid, parts, reply) : toRequest(visit, reply);
    }),
  );
  app.get<TokenRequest>(
    '/:token/return',
    hidden,
    onVisit(async (visit, _request, reply) => {
      if (!visit.attempt) return toRequest(visit, reply);
      const { account_id: accountId } = visit.row;
      // Shows a returning payer the bank's current answer. Without one, the page waits.
      const inquiry = await parts.requests
        .askAttempt({ accountId, attemptId: visit.attempt.id })
        .catch(() => null);
      const decided = inquiry && decidedAs[inquiry.outcome];
      return decided ? reply.redirect(targetOf(visit, decided), 303) : toRequest(visit, reply);
    }),
  );
  app.post<TokenRequest>(
    '/:token/cancel',
    hidden,
    onVisit(async (visit, _request, reply) => {
      if (visit.attempt?.action) await parts.requests.callOffAttempt(keyOf(visit));
      return toRequest(visit, reply);
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

/** Serves codes that the payer shows or scans: barcode and QR. */
function codeRoutes(app: App, parts: VisitParts, { onVisit }: Visiting): void {
  app.get<TokenRequest>(
    '/:token/barcode',
    hidden,
    onVisit(async (visit, _request, reply) => {
      const { row, today } = visit;
      const isOffered = parts.offer.non_banking !== null && allows(row, 'non_banking');
      const hasBarcode = stateOn(row, today) === 'pending' && isOffered;
      if (!hasBarcode) return toRequest(visit, reply);
      return send(reply, 200, barcodePage(await barcodeModel(visit, parts.sandbox)));
    }),
  );
  app.get<TokenRequest>(
    '/:token/qr.png',
    hidden,
    onVisit(
      async (visit, _request, reply) =>
        (await sendQr(visit, parts, reply)) ?? toRequest(visit, reply),
    ),
  );
}

/** Serves the checkout (interface 2.2, checkout_url). */
export async function checkoutRoutes(app: App, parts: VisitParts): Promise<void> {
  await app.register(
    async (pages) => {
      // Browsers send forms, so accept no other content type.
      pages.removeAllContentTypeParsers();
      await pages.register(formbody, { bodyLimit: formLimitBytes });
      failurePages(pages);
      const visits = visiting(parts);
      for (const routes of [payRoutes, draftRoutes, outcomeRoutes, codeRoutes]) {
        routes(pages, parts, visits);
      }
    },
    { prefix: '/checkout' },
  );
}
