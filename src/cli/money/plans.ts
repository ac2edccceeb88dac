import type { Command } from 'commander';
import { planList, planSetting } from '../../money/plans/operations.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function planCommands(plans: Command): void {
  listCommand(plans, planList);
  operationCommand(plans, planSetting, ({ base }) => base);
}
