import type { Command } from 'commander';
import { disputeList } from '../../money/disputes/operations.ts';
import { listCommand } from '../listing.ts';

export const disputeCommands = (disputes: Command): void => listCommand(disputes, disputeList);
