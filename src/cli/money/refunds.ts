import type { Command } from 'commander';
import { refundDone, refundFailing, refundList } from '../../money/refunds/operations.ts';
import type { BaseContext } from '../command.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

const ending = async ({ base }: BaseContext) => {
  const { endRefund } = await import('../../money/refunds/index.ts');
  return endRefund(base);
};

export function refundCommands(refunds: Command): void {
  listCommand(refunds, refundList);
  operationCommand(refunds, refundDone, ending);
  operationCommand(refunds, refundFailing, ending);
}
