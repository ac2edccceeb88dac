import type { Command } from 'commander';
import {
  keyCreating,
  keyList,
  keyRestricting,
  keyRevoking,
  keyRotating,
  restrictKey,
  rotateKey,
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
    keyRotating,
    ({ base, config: { ENVIRONMENT: environment } }) =>
      (actor, key) =>
        rotateKey({ ...base, actor }, { ...key, environment }),
  );
  operationCommand(
    keys,
    keyRestricting,
    ({ base }) =>
      (actor, key) =>
        restrictKey({ ...base, actor }, key),
  );
  operationCommand(keys, keyRevoking, ({ base }) => base);
}
