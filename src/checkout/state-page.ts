import type { PayerAction } from '../money/channels/index.ts';
import { fitsQr, qrShape } from '../platform/qr-shape.ts';
import { amountDue, stateOn } from '../requests/index.ts';
import { backUrlOf } from './back.ts';
import { framesOf } from './frames.ts';
import {
  type CheckoutParts,
  cancelPath,
  collectedIn,
  payModel,
  receiptPath,
  requestModel,
  returnPath,
  type Visit,
  withLang,
} from './page.ts';
import { settlementOf } from './settlement.ts';
import { actionPage } from './views/action.tsx';
import type { ActionModel, FormState } from './views/model.ts';
import { closedPage, expiredPage, paidPage, pendingPage } from './views/outcome.tsx';
import { payPage } from './views/pay.tsx';

/** Returns true if the page waits for the outcome of an attempt. */
export const waits = ({ row, today, attempt }: Visit): boolean =>
  attempt !== null && ['pending', 'expired'].includes(stateOn(row, today));

/** Returns the payer's pending step, or null if there is none or its deadline has passed. */
export function actionOf({ attempt }: Visit, { business }: CheckoutParts): PayerAction | null {
  const action = attempt?.action;
  return action && Temporal.Instant.compare(action.until, business.now()) > 0 ? action : null;
}

function actionView({ kind, url, data }: PayerAction): ActionModel['action'] | null {
  if (kind === 'show_qr') {
    if (data === undefined) return null;
    // Codes stored before their length was checked may not fit a QR, and appear as text.
    return { kind, text: data, drawing: fitsQr(data) ? qrShape(data) : null };
  }
  if (url === undefined) return null;
  return kind === 'frame' ? { kind, url, origin: new URL(url).origin } : { kind, url };
}

const canCallOff = ({ attempt }: Visit, { connected }: CheckoutParts): boolean =>
  attempt !== null && (connected.named(attempt.connector)?.cancels(attempt.channel) ?? false);

function actionModel(visit: Visit, parts: CheckoutParts): ActionModel | null {
  const action = actionOf(visit, parts);
  const view = action && actionView(action);
  if (!view) return null;
  return {
    ...requestModel(visit, parts.sandbox),
    amount: amountDue(visit.row, visit.today),
    action: view,
    doneUrl: withLang(returnPath(visit.token), visit.lang),
    ...(canCallOff(visit, parts) && { cancelUrl: withLang(cancelPath(visit.token), visit.lang) }),
  };
}

async function paymentPage(
  visit: Visit,
  parts: CheckoutParts,
  form: FormState | null,
): Promise<FramedPage> {
  const model = await payModel(visit, parts, form);
  return { page: payPage(model), frames: framesOf(model) };
}

/** A page with the origins of its frames. */
export interface FramedPage {
  page: string;
  frames: string[];
}

const plain = (page: string): FramedPage => ({ page, frames: [] });

/** Returns the page for a request's state and pending attempt. */
export async function statePage(
  visit: Visit,
  parts: CheckoutParts,
  form: FormState | null = null,
): Promise<FramedPage> {
  const { row, token, lang, today } = visit;
  const model = requestModel(visit, parts.sandbox);
  const state = stateOn(row, today);
  switch (state) {
    case 'paid': {
      const paid = collectedIn(visit);
      const receiptUrl = withLang(receiptPath(token), lang);
      const back = backUrlOf(row, 'paid');
      return plain(
        paidPage({
          ...model,
          settlement: settlementOf(row, visit.results, today),
          ...(paid && { paidAt: paid.paid_at, receiptUrl }),
          ...(back && { backUrl: back }),
        }),
      );
    }
    case 'reverted':
    case 'refunded':
      return plain(closedPage(model));
    case 'expired':
    case 'pending':
      // Even after the last due day, because a payment in progress must not be requested again.
      if (waits(visit)) {
        const action = actionModel(visit, parts);
        if (action) {
          const frames = action.action.kind === 'frame' ? [action.action.origin] : [];
          return { page: actionPage(action), frames };
        }
        const back = backUrlOf(row, 'pending');
        return plain(
          pendingPage({
            ...model,
            amount: amountDue(row, today),
            isDebin: visit.attempt?.channel === 'DEBIN',
            ...(back && { backUrl: back }),
          }),
        );
      }
      return state === 'expired'
        ? plain(expiredPage({ ...model, lastDay: row.last_due }))
        : await paymentPage(visit, parts, form);
  }
}
