import type { Command } from 'commander';
import { cardErasing } from '../debit-requests/operations.ts';
import { binImporting, binList } from '../money/channels/bins/operations.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

export function cardCommands(cards: Command): void {
  operationCommand(cards, binImporting, ({ base }) => base);
  listCommand(cards, binList);
  operationCommand(cards, cardErasing, async ({ base }) => {
    const { eraseNow } = await import('../debit-requests/index.ts');
    return eraseNow(base);
  });
}
