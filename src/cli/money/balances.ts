import type { Command } from 'commander';
import { balanceList } from '../../money/ledger/operations.ts';
import { listCommand } from '../listing.ts';

export const balanceCommand = (program: Command): void => listCommand(program, balanceList);
