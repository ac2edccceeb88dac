import type { Command } from 'commander';
import { owedList } from '../../connectors/operations.ts';
import { settlementLines, settlementList } from '../../money/settlements/operations.ts';
import { listCommand } from '../listing.ts';

export function settlementCommands(settlements: Command): void {
  listCommand(settlements, settlementList);
  listCommand(settlements, settlementLines);
  listCommand(settlements, owedList);
}
