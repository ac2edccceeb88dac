import { type Account, type AccountMove, moveAccount } from '../../../accounts/index.ts';
import { holderBalances } from '../../../money/ledger/index.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { FieldFault } from '../../../platform/pages/components/form.tsx';
import type { Answer, Page, Portal, ServiceVisit } from '../../frame/index.ts';
import { accountOf } from '../forms/account.ts';
import { oneLine } from './drafts.ts';
import type { AccountPageParts } from './model.ts';
import { type MoveDraft, movePage } from './move.tsx';
import { accountsTexts } from './texts.ts';

const moves: readonly AccountMove[] = ['suspend', 'reopen', 'close'];
const longestReason = 255;

/** Suspends, reopens or closes the account, depending on the form's address. */
async function done(
  visit: ServiceVisit,
  parts: AccountPageParts,
  { id: accountId }: Account,
  { move, reason }: { move: AccountMove; reason: string },
): Promise<string> {
  const { actor } = visit;
  const home = visit.at(`/accounts/${accountId}`);
  if (move === 'close') {
    const { mandates } = await parts.closeAccount(actor, { accountId, reason });
    return `${home}?closed=${mandates}`;
  }
  await moveAccount({ ...parts.base, actor }, { accountId, move, reason });
  return home;
}

/** Serves the suspension, reopening and closing of accounts. */
export function moveRoutes(portal: Portal, parts: AccountPageParts): void {
  const show = async (
    visit: ServiceVisit,
    account: Account,
    draft: Omit<MoveDraft, 'balances'>,
  ): Promise<Page> =>
    movePage(visit, account, {
      ...draft,
      balances: await holderBalances(parts.base.sql, account.id),
    });

  const does = async (visit: ServiceVisit, move: AccountMove): Promise<Answer> => {
    const account = await accountOf(visit, parts);
    const texts = accountsTexts[visit.lang];
    const reason = (visit.posted.get('reason') ?? '').trim();
    const typed = (visit.posted.get('typed') ?? '').trim().toUpperCase();
    const found: (FieldFault | false)[] = [
      !oneLine(reason, longestReason) && {
        field: 'reason',
        label: texts.reason,
        text: texts.faults.reason,
      },
      move === 'close' &&
        typed !== account.id && { field: 'typed', label: texts.id, text: texts.faults.typed },
    ];
    const faults = found.filter((one) => one !== false);
    if (faults.length > 0) return await show(visit, account, { move, reason, faults });
    try {
      return { to: await done(visit, parts, account, { move, reason }) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      const refusal = move === 'close' ? texts.faults.owed : texts.faults.moved;
      return await show(visit, account, { move, reason, faults, refusal });
    }
  };

  for (const move of moves) {
    portal.page({
      act: 'accounts.manage',
      path: `/accounts/:id/${move}`,
      async read(visit) {
        const account = await accountOf(visit, parts);
        return await show(visit, account, { move, reason: '', faults: [] });
      },
    });
    portal.form({
      act: 'accounts.manage',
      path: `/accounts/:id/${move}`,
      does: (visit) => does(visit, move),
    });
  }
}
