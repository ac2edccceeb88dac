import { amountDue, stateOn } from '../requests/index.ts';
import { backUrlOf } from './back.ts';
import {
  type CheckoutParts,
  collectedIn,
  payModel,
  receiptPath,
  requestModel,
  type Visit,
  withLang,
} from './page.ts';
import { settlementOf } from './settlement.ts';
import type { FormState } from './views/model.ts';
import { closedPage, expiredPage, paidPage, pendingPage } from './views/outcome.tsx';
import { payPage } from './views/pay.tsx';

/** Whether the page waits for an outcome: it is looked at again after a while. */
export const waits = ({ row, today, attemptOpen }: Visit): boolean =>
  attemptOpen && ['pending', 'expired'].includes(stateOn(row, today));

/** What a request's address shows, by its state and an open attempt. */
export async function statePage(
  visit: Visit,
  parts: CheckoutParts,
  form: FormState | null = null,
): Promise<string> {
  const { row, token, lang, today } = visit;
  const model = requestModel(visit, parts.sandbox);
  const state = stateOn(row, today);
  switch (state) {
    case 'paid': {
      const paid = collectedIn(visit);
      const receiptUrl = withLang(receiptPath(token), lang);
      const back = backUrlOf(row, 'paid');
      return paidPage({
        ...model,
        settlement: settlementOf(row, visit.results, today),
        ...(paid && { paidAt: paid.paid_at, receiptUrl }),
        ...(back && { backUrl: back }),
      });
    }
    case 'reverted':
    case 'refunded':
      return closedPage(model);
    case 'expired':
    case 'pending':
      // Also past the last day: money that is on its way must not be asked for again.
      if (waits(visit)) {
        const back = backUrlOf(row, 'pending');
        return pendingPage({
          ...model,
          amount: amountDue(row, today),
          ...(back && { backUrl: back }),
        });
      }
      return state === 'expired'
        ? expiredPage({ ...model, lastDay: row.last_due })
        : payPage(await payModel(visit, parts, form));
  }
}
