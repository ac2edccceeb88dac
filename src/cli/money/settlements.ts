import type { Command } from 'commander';
import { owedList } from '../../connectors/index.ts';
import { settlementLines, settlementList } from '../../money/settlements/index.ts';
import { listCommand } from '../listing.ts';

export function settlementCommands(settlements: Command): void {
  listCommand(settlements, settlementList);
  listCommand(settlements, settlementLines);
  listCommand(settlements, owedList);
}
