import { randomUUID } from 'node:crypto';
import type { Account } from '../../../accounts/index.ts';
import { type Offer, offeredChannels } from '../../../money/channels/index.ts';
import {
  type CardPlans,
  type PaymentRequestInput,
  type PaymentRequestRow,
  type PaymentRequests,
  paymentRequestForm,
  refuseWithoutPlans,
} from '../../../payment-requests/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Clocks } from '../../../platform/clocks.ts';
import { Refusal } from '../../../platform/errors.ts';
import { fingerprintOf } from '../../../platform/idempotency.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import type { Lang } from '../../../platform/pages/model.ts';
import { findReferences } from '../../../requests/index.ts';
import { type AccountVisit, type Answer, ctxOf, type Portal } from '../../frame/index.ts';
import { blankDraft, bodyOf, type Draft, draftIn, faultsOf } from './draft.ts';
import { formPage } from './form.tsx';
import { previewPage } from './preview.tsx';
import { newTexts } from './texts.ts';

export interface NewParts {
  base: Pick<Base, 'sql'>;
  requests: PaymentRequests;
  offer: Offer;
  plansFor: CardPlans['plansFor'];
  clocks: Clocks;
  /** Renders the payer's page of a request that is not created yet. */
  preview(draft: { row: PaymentRequestRow; account: Account; lang: Lang }): Promise<string>;
}

type ReadInput = { input: PaymentRequestInput } | { faults: FieldFault[] };

/** Validates the input with the form and the rules of the API. */
async function readInput(visit: AccountVisit, draft: Draft, parts: NewParts): Promise<ReadInput> {
  const { lang, account } = visit;
  const offered = offeredChannels(parts.offer);
  const context = {
    today: parts.clocks.business.today(),
    offered,
    barcode: parts.requests.barcodeFormat,
  };
  const read = paymentRequestForm.read(bodyOf(draft, offered), context);
  if (!read.ok) return { faults: faultsOf(lang, read.children ?? {}) };
  try {
    await refuseWithoutPlans(account.id, read.value, { offered, plansFor: parts.plansFor });
  } catch (error) {
    if (!(error instanceof Refusal && error.children)) throw error;
    return { faults: faultsOf(lang, error.children) };
  }
  return { input: read.value };
}

/** Creates the request, once per form, and redirects to its page. */
async function create(
  visit: AccountVisit,
  draft: Draft,
  input: PaymentRequestInput,
  { requests, offer }: NewParts,
): Promise<Answer> {
  const offered = offeredChannels(offer);
  const body = JSON.stringify(bodyOf(draft, offered));
  const claim = {
    path: 'portal/requests/new',
    key: draft.key,
    fingerprint: fingerprintOf(Buffer.from(body)),
  };
  try {
    const { answer } = await requests.create({ ctx: ctxOf(visit), input, claim });
    return { to: visit.at(`/requests/${JSON.parse(answer.body).id}`) };
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'unprocessable')) throw error;
    const refusal = { message: newTexts[visit.lang].made, status: 409 };
    return formPage(visit, {
      draft: { ...draft, key: randomUUID() },
      offered,
      faults: [],
      refusal,
    });
  }
}

/** Serves the form, the preview and the creation of a request. */
export function newPages(portal: Portal, parts: NewParts): void {
  const { base, requests, offer, preview } = parts;
  portal.page({
    act: 'requests.create',
    path: '/requests/new',
    once: true,
    async read(visit) {
      const offered = offeredChannels(offer);
      return formPage(visit, { draft: blankDraft(visit, offered), offered, faults: [] });
    },
  });
  portal.form({
    act: 'requests.create',
    path: '/requests/new',
    async does(visit): Promise<Answer> {
      const { account, posted } = visit;
      const offered = offeredChannels(offer);
      const draft = draftIn(visit, offered);
      const step = posted.get('step');
      if (step === 'edit') return formPage(visit, { draft, offered, faults: [] });
      const read = await readInput(visit, draft, parts);
      if ('faults' in read) return formPage(visit, { draft, offered, faults: read.faults });
      const { input } = read;
      if (step === 'create') return await create(visit, draft, input, parts);
      const { external_reference: reference } = input;
      const whose = { accountId: account.id, kind: 'payment_request' } as const;
      const [found] = reference === null ? [] : await findReferences(base.sql, whose, [reference]);
      const row = requests.draft(ctxOf(visit), input);
      const html = await preview({ row, account, lang: 'es' });
      return previewPage(visit, { draft, html, repeats: found?.id ?? null });
    },
  });
}
