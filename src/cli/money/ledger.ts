import type { Command } from 'commander';
import { balanceCorrecting, correctionList } from '../../money/corrections/operations.ts';
import {
  correctionApproving,
  correctionProposals,
  correctionRejecting,
} from '../../money/proposals/operations.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';
import { proposalCommands } from './proposals.ts';

export function ledgerCommands(ledger: Command): void {
  operationCommand(ledger, balanceCorrecting, ({ base, config, by }) => async (correction) => {
    const { createFourEyes } = await import('../../composition/four-eyes.ts');
    return await createFourEyes(base, config).orderCorrection({ ...correction, by });
  });
  proposalCommands(ledger, {
    kind: 'correction',
    list: correctionProposals,
    approving: correctionApproving,
    rejecting: correctionRejecting,
    approve: (fourEyes, decision) => fourEyes.approveCorrection(decision),
  });
  listCommand(ledger, correctionList);
}
