import type { Command } from 'commander';
import { collectionChargeback, collectionRefund, reverse } from '../../money/reversals/index.ts';
import { operationCommand } from '../operation.ts';

export function collectionCommands(collections: Command): void {
  operationCommand(collections, collectionRefund, ({ base }) => reverse(base));
  operationCommand(collections, collectionChargeback, ({ base }) => reverse(base));
}
