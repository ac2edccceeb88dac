import {
  adoptPayoutCbus,
  askPayoutCbu,
  type Changed,
  cancelPayoutCbu,
  cbuWait,
  changeLook,
  type LookChange,
  readAccount,
  readPayoutCbu,
  readPendingLook,
  readSettings,
  rejectLook,
  setAccount,
} from '../accounts/index.ts';
import { type Centavos, formatPesos } from '../kernel/money.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { UserVerbs } from '../users/index.ts';

interface Place {
  id: string;
  name: string;
}

interface Parts {
  users: Pick<UserVerbs, 'ownerNotices'>;
  links: Pick<Links, 'origin'>;
  /** True if names and logos need an operator's approval. */
  looksWait: boolean;
}

/**
 * Builds an account's settings for the portal. Notifies owners of changes of the payout account and
 * the refund limit, and of names and logos that need approval.
 */
export function createPortalSettings(
  base: Base,
  { users: { ownerNotices }, links, looksWait }: Parts,
) {
  return {
    async changeLook(actor: Actor, account: Place, change: LookChange): Promise<Changed> {
      const notify = looksWait ? await ownerNotices(account, { what: 'look_asked' }) : undefined;
      return await changeLook({ ...base, actor }, { notify })(change);
    },
    pendingLook: (accountId: string) => readPendingLook(base.sql, accountId),
    withdrawLook: (actor: Actor, look: { accountId: string; id: number }): Promise<void> =>
      rejectLook({ ...base, actor }, null)({ ...look, reason: null }),
    readCbu: (accountId: string) => readPayoutCbu(base.sql, accountId),
    async askCbu(actor: Actor, { account, cbu }: { account: Place; cbu: string }): Promise<void> {
      const at = base.clocks.wall.now().add(cbuWait);
      const page = `${links.origin}/portal/${account.id}/settings/bank-account`;
      const notices = await ownerNotices(account, { what: 'cbu_asked', cbu, at, page });
      await askPayoutCbu({ ...base, actor }, { accountId: account.id, cbu, at }, notices);
    },
    async cancelCbu(actor: Actor, { account, cbu }: { account: Place; cbu: string }) {
      const notices = await ownerNotices(account, { what: 'cbu_canceled', cbu });
      return await cancelPayoutCbu({ ...base, actor }, { accountId: account.id, cbu }, notices);
    },
    refundLimit: async (accountId: string): Promise<Centavos | null> =>
      (await readSettings(base.sql, accountId))?.refund_approval_above ?? null,
    /** Sets the amount above which portal refunds need two people. Notifies the owners. */
    async limitRefunds(
      actor: Actor,
      { account, above }: { account: Place; above: Centavos | null },
    ): Promise<void> {
      const text = above === null ? null : formatPesos(above);
      const notices = await ownerNotices(account, { what: 'refunds_limited', above: text });
      const change = { accountId: account.id, refundApprovalAbove: above };
      await setAccount({ ...base, actor })(change, notices);
    },
    /** Applies changes of payout accounts whose waiting period is over. Returns their number. */
    adoptCbus: (): Promise<number> =>
      adoptPayoutCbus(base, async (accountId) => {
        const account = await readAccount(base.sql, accountId);
        const { next_payout_cbu: cbu } = await readPayoutCbu(base.sql, accountId);
        if (account === null || cbu === null) return async () => undefined;
        return await ownerNotices(account, { what: 'cbu_changed', cbu });
      }),
  };
}
