import type { Command } from 'commander';
import { readAccount } from '../accounts/index.ts';
import { letterResending, linkRenewing, remindHolders } from '../mandates/index.ts';
import { linksOf } from './links.ts';
import { operationCommand } from './operation.ts';

export function signingCommands(signing: Command): void {
  for (const one of [letterResending, linkRenewing]) {
    operationCommand(signing, one, async ({ base, config, sql }) => {
      const links = await linksOf({ base, config });
      return remindHolders(base, { links, readAccount: (id) => readAccount(sql, id) });
    });
  }
}
