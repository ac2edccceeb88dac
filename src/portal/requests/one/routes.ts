import { Refusal, TooMany } from '../../../platform/errors.ts';
import { type Answer, ctxOf, idIn, type Portal } from '../../frame/index.ts';
import { actTexts } from './act-texts.ts';
import { resendPage, withdrawPage } from './acts.tsx';
import { onePage } from './detail.tsx';
import { type OneParts, readOne } from './model.ts';
import { refunds, showsRefund } from './refund.ts';

/** One payment request, and what can be done with it. */
export function onePages(portal: Portal, parts: OneParts): void {
  const { requests } = parts;
  portal.page({
    act: 'requests.see',
    path: '/requests/:id',
    read: async (visit) => onePage(visit, await readOne(visit, parts)),
  });
  portal.page({
    act: 'requests.withdraw',
    path: '/requests/:id/withdraw',
    async read(visit) {
      const { row, state } = await readOne(visit, parts);
      if (state !== 'pending') return { to: visit.at(`/requests/${row.id}`) };
      return withdrawPage(visit, row.id);
    },
  });
  portal.form({
    act: 'requests.withdraw',
    path: '/requests/:id/withdraw',
    async does(visit): Promise<Answer> {
      const id = idIn(visit);
      try {
        await requests.withdrawOne(ctxOf(visit), id, `Withdrawn by ${visit.user.email}.`);
        return { to: visit.at(`/requests/${id}`) };
      } catch (error) {
        if (!(error instanceof Refusal && error.kind === 'conflict')) throw error;
        const { late } = actTexts[visit.lang].withdraw;
        return { ...onePage(visit, await readOne(visit, parts), late), status: error.status };
      }
    },
  });
  portal.page({
    act: 'requests.send',
    path: '/requests/:id/resend',
    async read(visit) {
      const { row, mailable } = await readOne(visit, parts);
      if (!mailable) return { to: visit.at(`/requests/${row.id}`) };
      return resendPage(visit, { id: row.id, email: row.details.payer_email ?? '' });
    },
  });
  portal.form({
    act: 'requests.send',
    path: '/requests/:id/resend',
    async does(visit): Promise<Answer> {
      const id = idIn(visit);
      try {
        await parts.payerMails.resend(ctxOf(visit), id);
        return { to: visit.at(`/requests/${id}?sent=1`) };
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
        const { refused, tooOften } = actTexts[visit.lang].resend;
        const why = error instanceof TooMany ? tooOften : refused;
        return { ...onePage(visit, await readOne(visit, parts), why), status: error.status };
      }
    },
  });
  portal.page({
    act: 'requests.refund',
    path: '/requests/:id/refund',
    once: true,
    read: showsRefund(parts),
  });
  portal.form({ act: 'requests.refund', path: '/requests/:id/refund', does: refunds(parts) });
}
