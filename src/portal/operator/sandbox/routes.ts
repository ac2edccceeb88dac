import { randomUUID } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { channelCodes } from '../../../money/channels/index.ts';
import { isLive } from '../../../money/collections/index.ts';
import { amountDue } from '../../../requests/index.ts';
import { paymentChargingBack, requestPaying } from '../../../sandbox/operations.ts';
import { channelNames } from '../../frame/channels.ts';
import type { Page, Portal, ServiceVisit } from '../../frame/index.ts';
import { type OperationForm, operationForm } from '../../frame/operation.tsx';
import { clockRoutes } from './clock-routes.ts';
import {
  ctxOf,
  formReference,
  type PlayedPayment,
  requestOf,
  type SandboxPageParts,
  simulatedIn,
} from './model.ts';
import { requestPage } from './request.tsx';

export type { SandboxPageParts } from './model.ts';

type Playing = OperationForm<'sandbox.play'>;

/** Serves pages that simulate payers, in the sandbox only. */
export function sandboxPages(portal: Portal, parts: SandboxPageParts): void {
  const on = { path: '/sandbox/requests/:id', act: 'sandbox.play' } as const;
  const once = () => randomUUID();
  const done = ({ at, params }: ServiceVisit) => ({
    to: at(`/sandbox/requests/${params.id}?done=1`),
  });
  async function show(visit: ServiceVisit, draft?: ComponentChildren): Promise<Page> {
    const found = await requestOf(visit, parts);
    const pay = found.row.kind === 'payment_request' ? paying : payingDue;
    const charges = found.results
      .filter(isLive)
      .map(async ({ id }) => [id, await charging.form(visit, { result: String(id) })] as const);
    return requestPage(visit, {
      found,
      due: amountDue(found.row, parts.base.clocks.business.today()),
      paying: draft ?? (await pay.form(visit)),
      charging: new Map(await Promise.all(charges)),
    });
  }

  clockRoutes(portal, parts);
  const pays = {
    on,
    once,
    done,
    page: show,
    verbOf: (visit: ServiceVisit) => async (payment: PlayedPayment) => {
      const { row } = await requestOf(visit, parts);
      const whole = { ...payment, installments: null, cbu_number: null };
      const ctx = ctxOf(visit, row.account_id);
      await simulatedIn(parts).pay(ctx, row.id, whole, formReference(visit));
    },
  };
  const paying: Playing = operationForm(portal, requestPaying, {
    ...pays,
    path: `${on.path}/pay/:key`,
    choices: async ({ lang }) => ({
      channel: channelCodes
        .filter((one) => one !== 'non_banking')
        .map((value) => ({ value, label: channelNames[lang][value] })),
    }),
  });
  const none = () => '';
  // Debits and QRs are paid in full, by their own channel.
  const payingDue: Playing = operationForm(portal, requestPaying, {
    ...pays,
    path: `${on.path}/pay-due/:key`,
    fixed: { channel: none, amount: none, card_number: none },
  });
  const charging: Playing = operationForm(portal, paymentChargingBack, {
    on,
    once,
    done,
    path: `${on.path}/chargeback/:key`,
    brought: ['result'],
    page: (visit) => show(visit),
    verbOf: (visit) => async (resultId, actor) => {
      const { row } = await requestOf(visit, parts);
      await parts.reverse({
        key: { accountId: row.account_id, id: row.id },
        type: 'chargeback',
        resultId,
        amount: null,
        actor,
        source: 'simulator',
        sourceRef: formReference(visit),
        comment: 'Reversed by the holder.',
      });
    },
  });
  portal.page({ ...on, once, read: (visit) => show(visit) });
}
