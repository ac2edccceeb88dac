import type { Command } from 'commander';
import { createFourEyes } from '../../composition/four-eyes.ts';
import {
  payoutCreating,
  payoutList,
  payoutReturning,
  returnPayout,
} from '../../money/payouts/index.ts';
import { payoutApproving, payoutProposals, payoutRejecting } from '../../money/proposals/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';
import { runCommand } from './payout-run.ts';
import { proposalCommands } from './proposals.ts';

export function payoutCommands(payouts: Command): void {
  operationCommand(
    payouts,
    payoutCreating,
    ({ base, config, by }) =>
      (order, actor) =>
        createFourEyes(base, config).orderPayout({ ...order, by, actor }),
  );
  runCommand(payouts);
  proposalCommands(payouts, {
    kind: 'payout',
    list: payoutProposals,
    approving: payoutApproving,
    rejecting: payoutRejecting,
    approve: (fourEyes, decision) => fourEyes.approvePayout(decision),
  });
  listCommand(payouts, payoutList);
  operationCommand(payouts, payoutReturning, ({ base }) => returnPayout(base));
}
