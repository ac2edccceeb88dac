import { requestResending, requestWithdrawing } from '../../../payment-requests/operations.ts';
import { comments } from '../../../requests/index.ts';
import { type AccountVisit, idIn, type Portal } from '../../frame/index.ts';
import { operationPages } from '../../frame/operation.tsx';
import { onePage } from './detail.tsx';
import { type OneParts, readOne } from './model.ts';
import { refunds, showsRefund } from './refund.ts';

export function onePages(portal: Portal, parts: OneParts): void {
  const path = '/requests/:id';
  const back = (visit: AccountVisit) => visit.at(`/requests/${idIn(visit)}`);
  portal.page({
    act: 'requests.see',
    path,
    read: async (visit) => onePage(visit, await readOne(visit, parts)),
  });
  operationPages(portal, requestWithdrawing, {
    path: `${path}/withdraw`,
    verbOf:
      ({ user }) =>
      (ctx, id) =>
        parts.requests.withdrawOne(ctx, id, comments.withdrawn(user.email)),
    instead: async (visit) =>
      (await readOne(visit, parts)).state === 'pending' ? null : back(visit),
    grave: true,
    back,
  });
  operationPages(portal, requestResending, {
    path: `${path}/resend`,
    verbOf: () => parts.payerMails.resend,
    instead: async (visit) => ((await readOne(visit, parts)).mailable ? null : back(visit)),
    subject: async (visit) => (await readOne(visit, parts)).row.details.payer_email ?? '',
    back,
    done: (visit) => ({ to: `${back(visit)}?sent=1` }),
  });
  portal.page({
    act: 'requests.refund',
    path: `${path}/refund`,
    once: true,
    read: showsRefund(parts),
  });
  portal.form({ act: 'requests.refund', path: `${path}/refund`, does: refunds(parts) });
}
