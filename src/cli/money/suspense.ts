import type { Command } from 'commander';
import { createMoneyWing } from '../../composition/money.ts';
import {
  assignSuspense,
  returnSuspense,
  suspenseAssigning,
  suspenseList,
  suspenseReturning,
} from '../../money/suspense/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function suspenseCommands(suspense: Command): void {
  listCommand(suspense, suspenseList);
  operationCommand(suspense, suspenseAssigning, ({ base }) =>
    assignSuspense(base, createMoneyWing(base).prepareFacts),
  );
  operationCommand(suspense, suspenseReturning, ({ base }) => returnSuspense(base));
}
