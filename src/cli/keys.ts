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

const verbs = () => import('../accounts/index.ts');

export function keyCommands(keys: Command): void {
  operationCommand(
    keys,
    keyCreating,
    ({ base, config: { ENVIRONMENT: environment } }) =>
      async (actor, key) => {
        const { createKey } = await verbs();
        const id = await base.recordIds.next();
        const made = { ...key, id, environment, secret: null };
        return { id, key: await createKey({ ...base, actor }, made) };
      },
  );
  listCommand(keys, keyList);
  operationCommand(
    keys,
    keyRotating,
    ({ base, config: { ENVIRONMENT: environment } }) =>
      async (actor, key) =>
        (await verbs()).rotateKey({ ...base, actor }, { ...key, environment }),
  );
  operationCommand(
    keys,
    keyRestricting,
    ({ base }) =>
      async (actor, key) =>
        (await verbs()).restrictKey({ ...base, actor }, key),
  );
  operationCommand(
    keys,
    keyRevoking,
    ({ base }) =>
      async (actor, key) =>
        (await verbs()).revokeKey({ ...base, actor }, key),
  );
}
