import type { Command } from 'commander';
import { mailList, mailResending } from '../accounts/mails/operations.ts';
import { bounceBooking } from '../payment-requests/mails/operations.ts';
import type { BaseContext } from './command.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';

export function mailCommands(mails: Command): void {
  const baseOf = ({ base }: BaseContext) => base;
  listCommand(mails, mailList);
  operationCommand(mails, mailResending, baseOf);
  operationCommand(mails, bounceBooking, baseOf);
}
