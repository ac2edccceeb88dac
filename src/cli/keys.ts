import type { Command } from 'commander';
import {
  keyCreating,
  keyList,
  keyRestricting,
  keyRevoking,
  keyRotating,
} from '../accounts/keys/operations.ts';
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
      async (actor, key) =>
        (await import('../accounts/index.ts')).rotateKey(
          { ...base, actor },
          { ...key, environment },
        ),
  );
  operationCommand(
    keys,
    keyRestricting,
    ({ base }) =>
      async (actor, key) =>
        (await import('../accounts/index.ts')).restrictKey({ ...base, actor }, key),
  );
  operationCommand(keys, keyRevoking, ({ base }) => base);
}
