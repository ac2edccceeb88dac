import type { Command } from 'commander';
import { endRefund, refundDone, refundFailing, refundList } from '../../money/refunds/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function refundCommands(refunds: Command): void {
  listCommand(refunds, refundList);
  operationCommand(refunds, refundDone, ({ base }) => endRefund(base));
  operationCommand(refunds, refundFailing, ({ base }) => endRefund(base));
}
