import {
  type LookDecision,
  listAskedLooks,
  readAskedLogo,
  type WaitingLook,
} from '../../../accounts/index.ts';
import type { Acting, Base } from '../../../platform/base.ts';
import { Refusal } from '../../../platform/errors.ts';
import { namesOf } from '../../../users/index.ts';
import { refusalText } from '../../frame/faults.ts';
import type { Answer, Portal, ServiceVisit } from '../../frame/index.ts';
import { looksPath } from '../accounts/model.ts';
import { openAccountOf } from '../forms/account.ts';
import { reasonIn } from '../forms/read.ts';
import { lookTexts } from './texts.ts';
import { type LooksModel, looksPage, type ShownLook } from './views.tsx';

export interface LookPageParts {
  base: Base;
  looks: {
    approve(acting: Acting, decision: LookDecision): Promise<void>;
    reject(acting: Acting, decision: LookDecision & { reason: string }): Promise<void>;
  };
}

/** Changes on a page; their pictures are inline. */
const mostShown = 20;

async function withPicture({ sql }: Pick<Base, 'sql'>, row: WaitingLook): Promise<ShownLook> {
  const { logo } = row.asked.changes;
  const content = logo ? await readAskedLogo(sql, row.account_id, logo) : null;
  const picture =
    logo && content ? `data:image/${logo.kind};base64,${content.toString('base64')}` : null;
  return { ...row, picture };
}

/** Operators approve names and logos before payers see them. */
export function lookPages(portal: Portal, { base, looks }: LookPageParts): void {
  async function show(visit: ServiceVisit, fault?: LooksModel['fault']): Promise<Answer> {
    const waiting = await listAskedLooks(base.sql, mostShown);
    const people = waiting.flatMap(({ asked: { by } }) => (by === null ? [] : [by]));
    const [rows, names] = await Promise.all([
      Promise.all(waiting.map((row) => withPicture(base, row))),
      namesOf(base.sql, people),
    ]);
    return looksPage(visit, { rows, names, ...(fault && { fault }) });
  }

  async function decides(
    visit: ServiceVisit,
    decide: (acting: Acting, decision: LookDecision) => Promise<void>,
  ): Promise<Answer> {
    const { id: account } = await openAccountOf(visit, { base });
    const decision = { accountId: account, id: Number(visit.posted.get('id')) };
    try {
      await decide({ ...base, actor: visit.actor }, decision);
      return { to: visit.at(looksPath) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
      const text = refusalText(visit.lang, error);
      return await show(visit, { account, text, inReason: false, status: error.status });
    }
  }

  portal.page({ act: 'accounts.see', path: looksPath, read: (visit) => show(visit) });
  portal.form({
    act: 'accounts.manage',
    path: '/accounts/:id/look/approve',
    does: (visit) => decides(visit, looks.approve),
  });
  portal.form({
    act: 'accounts.manage',
    path: '/accounts/:id/look/reject',
    async does(visit) {
      const reason = reasonIn(visit.posted.get('reason'));
      if (reason !== null) {
        return await decides(visit, (acting, it) => looks.reject(acting, { ...it, reason }));
      }
      const { id: account } = await openAccountOf(visit, { base });
      const text = lookTexts[visit.lang].reasonFault;
      return await show(visit, { account, text, inReason: true, status: 400 });
    },
  });
}
