import type { Decision, Proposal, Reject } from '../../money/proposals/index.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Answer, Page } from '../frame/index.ts';
import { reasonIn } from '../operator/forms/read.ts';
import type { ProposalModel, Reader } from './views.tsx';

/** A kind of proposals, and how one of them is read, shown and decided. */
export interface Decided<V extends Reader> {
  kind: Proposal['kind'];
  /** The path of its pages: `/payouts`. */
  path: string;
  /** 404: there is none that this visit may see. */
  read(visit: V): Promise<Proposal>;
  show(visit: V, fault: NonNullable<ProposalModel['fault']>): Promise<Page>;
  approve(decision: Decision): Promise<unknown>;
  reject: Reject;
}

/** The two buttons of a proposal: it is decided, or its page shows what prevented it. */
export function decisionsOn<V extends Reader>(of: Decided<V>) {
  async function decided(
    visit: V,
    decide: (decision: Decision) => Promise<unknown>,
  ): Promise<Answer> {
    const { account_id: accountId, id } = await of.read(visit);
    try {
      await decide({ accountId, id, by: visit.user.id, actor: visit.actor });
      return { to: visit.at(`${of.path}/proposals/${id}`) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'not_found') throw error;
      return await of.show(visit, { told: error, status: error.status });
    }
  }
  return {
    approves: (visit: V): Promise<Answer> => decided(visit, of.approve),
    async rejects(visit: V): Promise<Answer> {
      const reason = reasonIn(visit.posted.get('reason'));
      if (reason === null) return await of.show(visit, { reason: true, status: 400 });
      return await decided(visit, (decision) => of.reject(of.kind, { ...decision, reason }));
    },
  };
}
