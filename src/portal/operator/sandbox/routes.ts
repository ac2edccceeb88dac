import type { Centavos } from '../../../kernel/money.ts';
import { channelCodes } from '../../../money/channels/index.ts';
import type { FoundRequest } from '../../../money/collections/index.ts';
import { Refusal, walkFaults } from '../../../platform/errors.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import { amountDue } from '../../../requests/index.ts';
import { keyIn } from '../../frame/creating.tsx';
import { refusalText } from '../../frame/faults.ts';
import {
  type Answer,
  numberIn,
  type Page,
  type Portal,
  type ServiceVisit,
} from '../../frame/index.ts';
import { pesosIn } from '../forms/read.ts';
import { clockRoutes } from './clock-routes.ts';
import { ctxOf, referenceIn, requestOf, type SandboxPageParts, simulatedIn } from './model.ts';
import { emptyDraft, type PayDraft, requestPage } from './request.tsx';
import { sandboxTexts } from './texts.ts';

export type { SandboxPageParts } from './model.ts';

function amountIn(text: string): Centavos | null {
  const amount = pesosIn(text);
  return amount !== null && amount > 0 ? amount : null;
}

function draftIn({ posted, lang }: ServiceVisit): PayDraft {
  const texts = sandboxTexts[lang];
  const amount = (posted.get('amount') ?? '').trim();
  const wrong = amount !== '' && amountIn(amount) === null;
  return {
    channel: channelCodes.find((one) => one === posted.get('channel')) ?? '',
    amount,
    card: (posted.get('card') ?? '').trim(),
    faults: wrong ? [{ field: 'amount', label: texts.amount, text: texts.amountFault }] : [],
  };
}

/** Returns a refusal's sentence with those of its fields. */
const sentencesOf = (lang: Lang, refusal: Refusal): string => {
  const faults = walkFaults(refusal.children ?? {}).map((one) => refusalText(lang, one));
  return faults.length > 0 ? faults.join(' ') : refusalText(lang, refusal);
};

/** Serves pages that simulate payers, in the sandbox only. */
export function sandboxPages(portal: Portal, parts: SandboxPageParts): void {
  const show = (
    visit: ServiceVisit,
    found: FoundRequest,
    { draft = emptyDraft, refusal }: { draft?: PayDraft; refusal?: Refusal } = {},
  ): Page =>
    requestPage(visit, {
      found,
      due: amountDue(found.row, parts.base.clocks.business.today()),
      reference: keyIn(visit),
      draft,
      ...(refusal && { refusal: sentencesOf(visit.lang, refusal), status: refusal.status }),
    });

  /** Simulates the act and shows the result, or the reason of the refusal. */
  const played = async (
    visit: ServiceVisit,
    draft: PayDraft,
    does: (found: FoundRequest, reference: string) => Promise<unknown>,
  ): Promise<Answer> => {
    const found = await requestOf(visit, parts);
    const reference = referenceIn(visit);
    if (draft.faults.length > 0) return show(visit, found, { draft });
    try {
      await does(found, reference);
    } catch (error) {
      if (error instanceof Refusal) return show(visit, found, { draft, refusal: error });
      throw error;
    }
    return { to: visit.at(`/sandbox/requests/${found.row.id}?done=1`) };
  };

  clockRoutes(portal, parts);
  portal.page({
    act: 'sandbox.play',
    path: '/sandbox/requests/:id',
    once: true,
    read: async (visit) => show(visit, await requestOf(visit, parts)),
  });
  portal.form({
    act: 'sandbox.play',
    path: '/sandbox/requests/:id/pay/:no',
    does: (visit) => {
      const draft = draftIn(visit);
      return played(visit, draft, async ({ row }, reference) => {
        const payment = {
          channel: draft.channel === '' ? null : draft.channel,
          amount: amountIn(draft.amount),
          installments: null,
          card_number: draft.card === '' ? null : draft.card,
          cbu_number: null,
        };
        const ctx = ctxOf(visit, row.account_id);
        await simulatedIn(parts).pay(ctx, row.id, payment, reference);
      });
    },
  });
  portal.form({
    act: 'sandbox.play',
    path: '/sandbox/requests/:id/chargeback/:no',
    does: (visit) =>
      played(visit, emptyDraft, ({ row }, reference) =>
        parts.reverse({
          key: { accountId: row.account_id, id: row.id },
          type: 'chargeback',
          resultId: numberIn(visit.posted.get('result') ?? ''),
          amount: null,
          actor: visit.actor,
          source: 'simulator',
          sourceRef: reference,
          comment: 'Reversed by the holder.',
        }),
      ),
  });
}
