import type { Command } from 'commander';
import type { FourEyes } from '../../composition/four-eyes.ts';
import type {
  Decision,
  Proposal,
  ProposalApproving,
  ProposalList,
  ProposalRejecting,
} from '../../money/proposals/index.ts';
import type { BaseContext } from '../command.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

interface Kind {
  kind: 'payout' | 'correction';
  list: ProposalList;
  approving: ProposalApproving;
  rejecting: ProposalRejecting;
  approve(fourEyes: FourEyes, decision: Decision): Promise<Proposal>;
}

const fourEyesOf = async ({ base, config }: BaseContext): Promise<FourEyes> =>
  (await import('../../composition/four-eyes.ts')).createFourEyes(base, config);

/** Adds the commands that list, approve and reject proposals, for operators without a browser. */
export function proposalCommands(parent: Command, of: Kind): void {
  const { kind } = of;
  listCommand(parent, of.list);
  operationCommand(parent, of.approving, async (context) => {
    const fourEyes = await fourEyesOf(context);
    const { sql, by } = context;
    return { sql, kind, by, approve: (decision) => of.approve(fourEyes, decision) };
  });
  operationCommand(parent, of.rejecting, async (context) => {
    const { sql, by } = context;
    return { sql, kind, by, reject: (await fourEyesOf(context)).reject };
  });
}
