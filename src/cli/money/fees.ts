import type { Command } from 'commander';
import { feeEnding, feeList, feeSetting } from '../../money/fees/operations.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function feeCommands(fees: Command): void {
  listCommand(fees, feeList);
  operationCommand(fees, feeSetting, async ({ base }) => ({
    verb: (await import('../../money/fees/index.ts')).setFees(base),
  }));
  operationCommand(fees, feeEnding, async ({ base }) => ({
    verb: (await import('../../money/fees/index.ts')).endFees(base),
  }));
}
