import type { Command } from 'commander';
import {
  debitList,
  debitShowing,
  requestList,
  requestShowing,
} from '../money/collections/operations.ts';
import { paymentRequestOperations } from '../payment-requests/operations.ts';
import { detailCommand } from './detail.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

export function requestCommands(requests: Command): void {
  detailCommand(requests, requestShowing);
  listCommand(requests, requestList);
  for (const one of paymentRequestOperations) {
    if (one.command) operationCommand(requests, one, ({ base }) => base);
  }
}

export function debitCommands(debits: Command): void {
  detailCommand(debits, debitShowing);
  listCommand(debits, debitList);
}
