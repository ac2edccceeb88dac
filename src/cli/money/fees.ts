import type { Command } from 'commander';
import { endFees, feeEnding, feeList, feeSetting, setFees } from '../../money/fees/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function feeCommands(fees: Command): void {
  listCommand(fees, feeList);
  operationCommand(fees, feeSetting, ({ base }) => ({ verb: setFees(base) }));
  operationCommand(fees, feeEnding, ({ base }) => ({ verb: endFees(base) }));
}
