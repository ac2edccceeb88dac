import { approveLook, getAccount, type LookDecision, rejectLook } from '../accounts/index.ts';
import type { Acting } from '../platform/base.ts';
import { ownerNotices } from '../users/index.ts';

async function ownersOf(acting: Acting, accountId: string) {
  const account = await getAccount(acting.sql, accountId);
  return { account, tell: ownerNotices(acting) };
}

/** Decisions of an operator on pending names and logos. Owners get an email about each. */
export const lookDecisions = {
  async approve(acting: Acting, decision: LookDecision): Promise<void> {
    const { account, tell } = await ownersOf(acting, decision.accountId);
    await approveLook(acting, await tell(account, { what: 'look_approved' }))(decision);
  },
  async reject(acting: Acting, decision: LookDecision & { reason: string }): Promise<void> {
    const { account, tell } = await ownersOf(acting, decision.accountId);
    const notices = await tell(account, { what: 'look_rejected', reason: decision.reason });
    await rejectLook(acting, notices)(decision);
  },
};
