import { randomUUID } from 'node:crypto';
import { type Centavos, minus, sumOf } from '../../../kernel/money.ts';
import { waitingOnRequest } from '../../../money/proposals/index.ts';
import { refundForm } from '../../../money/refunds/http.ts';
import type { OrderedRefund, Refundable } from '../../../money/refunds/index.ts';
import { Refusal, walkFaults } from '../../../platform/errors.ts';
import { invalid } from '../../../platform/http/form.ts';
import { fingerprintOf, referenceOf } from '../../../platform/idempotency.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { amountOf } from '../../../platform/spreadsheets/cells.ts';
import { isFresh } from '../../../users/index.ts';
import { keyIn } from '../../frame/creating.tsx';
import { refusalText } from '../../frame/faults.ts';
import { type AccountVisit, type Answer, ctxOf, idIn } from '../../frame/index.ts';
import { actTexts } from './act-texts.ts';
import { type RefundDraft, refundPage } from './acts.tsx';
import type { OneParts } from './model.ts';

type RefundParts = Pick<OneParts, 'requests' | 'refunds' | 'settings' | 'base' | 'clocks'>;

const blank = (key: string): RefundDraft => ({
  key,
  amount: '',
  cbu: '',
  resultId: '',
  faults: [],
  refusal: null,
});

/** Reads the form. Without an idempotency key it starts a new refund. */
function draftIn(visit: AccountVisit): RefundDraft {
  const { posted } = visit;
  const text = (name: string): string => (posted.get(name) ?? '').trim();
  return {
    ...blank(keyIn(visit)),
    amount: text('amount'),
    cbu: text('cbu').replaceAll(/[\s-]/g, ''),
    resultId: text('result_id'),
  };
}

/**
 * Returns the refundable amount of each payment, less pending proposals. Throws 404 for an unknown
 * request.
 */
async function refundableOf(
  visit: AccountVisit,
  { requests, refunds, base, clocks }: RefundParts,
): Promise<Refundable[]> {
  const id = idIn(visit);
  const { results } = await requests.get(ctxOf(visit), { id, detailRetentions: false });
  const of = { accountId: visit.account.id, id };
  const waiting = await waitingOnRequest(base.sql, of, clocks.business.now());
  return refunds.refundable(results).flatMap((one) => {
    const waits = waiting.filter(({ terms }) => terms.result_id === one.result.id);
    const left = minus(one.left, sumOf(waits.map(({ amount }) => amount)));
    return left > 0 ? [{ ...one, left }] : [];
  });
}

/** Renders the form, or redirects to the request's page if nothing can be refunded any more. */
async function formOf(
  visit: AccountVisit,
  parts: RefundParts,
  draft: RefundDraft,
): Promise<Answer> {
  const [first, ...others] = await refundableOf(visit, parts);
  const id = idIn(visit);
  if (!first) return { to: visit.at(`/requests/${id}`) };
  const above = await parts.settings.refundLimit(visit.account.id);
  return refundPage(visit, { id, refundable: [first, ...others], draft, above });
}

export const showsRefund =
  (parts: RefundParts) =>
  (visit: AccountVisit): Promise<Answer> =>
    formOf(visit, parts, blank(keyIn(visit)));

const fieldFaults = (lang: Lang, refusal: Refusal): FieldFault[] =>
  walkFaults(refusal.children ?? {}).map((one) => {
    const [field = ''] = one.path;
    const { refund: texts } = actTexts[lang];
    const label = field === 'cbu' ? texts.cbu : field === 'amount' ? texts.amount : texts.payment;
    return { field, label, text: refusalText(lang, one) };
  });

/**
 * Returns the refundable rest of a payment, or null if it has none, which the verb then rejects.
 */
async function leftOf(
  visit: AccountVisit,
  parts: RefundParts,
  resultId: number | null,
): Promise<Centavos | null> {
  const all = await refundableOf(visit, parts);
  const one = all.find(({ result }) => resultId === null || result.id === resultId);
  return one?.left ?? null;
}

/** Returns true if the form's first submission had another amount. */
const isAnother = (requested: Centavos | null, { amount }: { amount: Centavos }): boolean =>
  requested !== null && requested !== amount;

/** Returns the page that shows an ordered refund. */
const placeOf = (id: number, ordered: OrderedRefund): string =>
  ordered.outcome === 'proposed' ? `/refunds/proposals/${ordered.proposal.id}` : `/requests/${id}`;

/** Orders a refund, once per form. */
export const refunds =
  (parts: RefundParts) =>
  async (visit: AccountVisit): Promise<Answer> => {
    const { lang } = visit;
    const id = idIn(visit);
    const draft = draftIn(visit);
    const { amount, cbu, resultId } = draft;
    const again = (more: Partial<RefundDraft>): Promise<Answer> =>
      formOf(visit, parts, { ...draft, ...more });
    const resultNo = /^\d{1,16}$/.test(resultId) ? Number(resultId) : resultId;
    const read = refundForm.parse({ amount: amountOf(amount), cbu, result_id: resultNo });
    if (!read.ok) return await again({ faults: fieldFaults(lang, invalid(read.children ?? {})) });
    if (read.value.cbu !== null && !isFresh(visit.session, parts.clocks.wall.now())) {
      return { to: `/portal/confirm?next=${encodeURIComponent(visit.path)}` };
    }
    const { key, fingerprint } = { key: draft.key, fingerprint: fingerprintOf(Buffer.alloc(0)) };
    const ctx = ctxOf(visit);
    try {
      const ordered = await parts.refunds.orderByPerson({
        actor: ctx.actor,
        by: visit.user.id,
        key: { accountId: ctx.accountId, id },
        kind: 'payment_request',
        resultId: read.value.result_id,
        amount: read.value.amount ?? (await leftOf(visit, parts, read.value.result_id)),
        cbu: read.value.cbu,
        reference: referenceOf({ path: visit.path, key, fingerprint }),
      });
      const outcome = ordered.outcome === 'proposed' ? ordered.proposal : ordered.refund;
      if (!isAnother(read.value.amount, outcome)) return { to: visit.at(placeOf(id, ordered)) };
      const message = actTexts[lang].already({ amount: moneyText(lang, outcome.amount) });
      return await again({ key: randomUUID(), refusal: { message, status: 409 } });
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
      const { children, status } = error;
      return children
        ? await again({ faults: fieldFaults(lang, error) })
        : await again({ refusal: { message: refusalText(lang, error), status } });
    }
  };
