import type { Command } from 'commander';
import { mandateList, mandateShowing } from '../mandates/operations.ts';
import { detailCommand } from './detail.ts';
import { listCommand } from './listing.ts';

export const digits = (text: string): string => text.replaceAll(/[-. ]/g, '');

export const nothingElse = {
  kind: null,
  id: null,
  reference: null,
  name: null,
  idNumber: null,
  state: null,
};

export function mandateCommands(mandates: Command): void {
  listCommand(mandates, mandateList);
  detailCommand(mandates, mandateShowing);
}
