import type { Command } from 'commander';
import { operatorEventList } from '../events/index.ts';
import { listCommand } from './listing.ts';

export function eventCommands(program: Command): void {
  const events = program.command('events').description('who did what that belongs to no account');
  listCommand(events, operatorEventList);
}
