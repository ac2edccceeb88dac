import type { Command } from 'commander';
import { payoutCreating, payoutList, payoutReturning } from '../../money/payouts/operations.ts';
import {
  payoutApproving,
  payoutProposals,
  payoutRejecting,
} from '../../money/proposals/operations.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';
import { runCommand } from './payout-run.ts';
import { proposalCommands } from './proposals.ts';

export function payoutCommands(payouts: Command): void {
  operationCommand(payouts, payoutCreating, ({ base, config, by }) => async (order, actor) => {
    const { createFourEyes } = await import('../../composition/four-eyes.ts');
    return await createFourEyes(base, config).orderPayout({ ...order, by, actor });
  });
  runCommand(payouts);
  proposalCommands(payouts, {
    kind: 'payout',
    list: payoutProposals,
    approving: payoutApproving,
    rejecting: payoutRejecting,
    approve: (fourEyes, decision) => fourEyes.approvePayout(decision),
  });
  listCommand(payouts, payoutList);
  operationCommand(payouts, payoutReturning, async ({ base }) => {
    const { returnPayout } = await import('../../money/payouts/index.ts');
    return returnPayout(base);
  });
}
