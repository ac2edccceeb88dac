import type { Command } from 'commander';
import { createFourEyes, type FourEyes } from '../../composition/four-eyes.ts';
import type {
  Decision,
  Proposal,
  ProposalApproving,
  ProposalList,
  ProposalRejecting,
} from '../../money/proposals/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

/** One kind of proposal. */
interface Kind {
  kind: 'payout' | 'correction';
  list: ProposalList;
  approving: ProposalApproving;
  rejecting: ProposalRejecting;
  approve(fourEyes: FourEyes, decision: Decision): Promise<Proposal>;
}

/** Approves or rejects proposals, for operators without a browser. */
export function proposalCommands(parent: Command, of: Kind): void {
  const { kind } = of;
  listCommand(parent, of.list);
  operationCommand(parent, of.approving, ({ base, config, sql, by }) => {
    const fourEyes = createFourEyes(base, config);
    return { sql, kind, by, approve: (decision) => of.approve(fourEyes, decision) };
  });
  operationCommand(parent, of.rejecting, ({ base, config, sql, by }) => ({
    sql,
    kind,
    by,
    reject: createFourEyes(base, config).reject,
  }));
}
