import type { Command } from 'commander';
import { operatorEventList } from '../events/operations.ts';
import { listCommand } from './listing.ts';

export function eventCommands(events: Command): void {
  listCommand(events, operatorEventList);
}
