import type { Command } from 'commander';
import { createFourEyes } from '../../composition/four-eyes.ts';
import { balanceCorrecting, correctionList } from '../../money/corrections/index.ts';
import {
  correctionApproving,
  correctionProposals,
  correctionRejecting,
} from '../../money/proposals/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';
import { proposalCommands } from './proposals.ts';

export function ledgerCommands(ledger: Command): void {
  operationCommand(
    ledger,
    balanceCorrecting,
    ({ base, config, by }) =>
      (correction) =>
        createFourEyes(base, config).orderCorrection({ ...correction, by }),
  );
  proposalCommands(ledger, {
    kind: 'correction',
    list: correctionProposals,
    approving: correctionApproving,
    rejecting: correctionRejecting,
    approve: (fourEyes, decision) => fourEyes.approveCorrection(decision),
  });
  listCommand(ledger, correctionList);
}
