import type { Command } from 'commander';
import {
  suspenseAssigning,
  suspenseList,
  suspenseReturning,
} from '../../money/suspense/operations.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function suspenseCommands(suspense: Command): void {
  listCommand(suspense, suspenseList);
  operationCommand(suspense, suspenseAssigning, async ({ base }) => {
    const [{ createMoneyWing }, { assignSuspense }] = await Promise.all([
      import('../../composition/money.ts'),
      import('../../money/suspense/index.ts'),
    ]);
    return assignSuspense(base, createMoneyWing(base).prepareFacts);
  });
  operationCommand(suspense, suspenseReturning, async ({ base }) => {
    const { returnSuspense } = await import('../../money/suspense/index.ts');
    return returnSuspense(base);
  });
}
