import { amountDue, stateOn } from '../requests/index.ts';
import {
  type CheckoutParts,
  collectedIn,
  payModel,
  receiptPath,
  requestModel,
  type Visit,
  withLang,
} from './page.ts';
import type { FormState } from './views/model.ts';
import { closedPage, expiredPage, paidPage, pendingPage } from './views/outcome.tsx';
import { payPage } from './views/pay.tsx';

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
      return paidPage({ ...model, ...(paid && { paidOn: paid.informed_on, receiptUrl }) });
    }
    case 'reverted':
    case 'refunded':
      return closedPage(model);
    case 'expired':
    case 'pending':
      // Also past the last day: money that is on its way must not be asked for again.
      if (visit.attemptOpen) {
        return pendingPage({ ...model, amount: amountDue(row, today) });
      }
      return state === 'expired'
        ? expiredPage({ ...model, lastDay: row.last_due })
        : payPage(await payModel(visit, parts, form));
  }
}
