import type { Command } from 'commander';
import { balanceList } from '../../money/ledger/index.ts';
import { listCommand } from '../listing.ts';

export const balanceCommand = (program: Command): void => listCommand(program, balanceList);
