import type { Command } from 'commander';
import { keyCreating, keyList, keyRevoking } from '../accounts/index.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

export function keyCommands(keys: Command): void {
  operationCommand(keys, keyCreating, ({ base, config: { ENVIRONMENT: environment } }) => ({
    base,
    environment,
  }));
  listCommand(keys, keyList);
  operationCommand(keys, keyRevoking, ({ base }) => base);
}
