import type { Command } from 'commander';
import {
  factorRemoving,
  memberChanging,
  memberRemoving,
  serviceRoleChanging,
  userCreating,
  userInviting,
  userLinking,
  userList,
  userReleasing,
  userReopening,
  userResetting,
  userSigningOut,
  userSuspending,
  userUnlinking,
} from '../users/operations.ts';
import type { BaseContext } from './command.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

const baseOf = ({ base }: BaseContext) => base;

export function userCommands(users: Command): void {
  listCommand(users, userList);
  operationCommand(users, userCreating, baseOf);
  operationCommand(users, userInviting, baseOf);
  operationCommand(users, serviceRoleChanging, baseOf);
  operationCommand(users, memberChanging, baseOf);
  operationCommand(users, memberRemoving, baseOf);
  operationCommand(users, userSuspending, baseOf);
  operationCommand(users, userReopening, baseOf);
  operationCommand(users, userReleasing, baseOf);
  operationCommand(users, userSigningOut, baseOf);
  operationCommand(users, userResetting, baseOf);
  operationCommand(users, factorRemoving, baseOf);
  operationCommand(users, userLinking, ({ base, config }) => ({
    ...base,
    issuer: config.OIDC_ISSUER,
  }));
  operationCommand(users, userUnlinking, baseOf);
}
