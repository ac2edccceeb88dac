import type { Command } from 'commander';
import {
  keyCreating,
  keyList,
  keyRestricting,
  keyRevoking,
  restrictKey,
} from '../accounts/index.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

export function keyCommands(keys: Command): void {
  operationCommand(keys, keyCreating, ({ base, config: { ENVIRONMENT: environment } }) => ({
    base,
    environment,
  }));
  listCommand(keys, keyList);
  operationCommand(
    keys,
    keyRestricting,
    ({ base }) =>
      (actor, key) =>
        restrictKey({ ...base, actor }, key),
  );
  operationCommand(keys, keyRevoking, ({ base }) => base);
}
