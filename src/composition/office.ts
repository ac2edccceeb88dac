import type { Config } from '../config/index.ts';
import { readAlarms } from '../connectors/index.ts';
import { migrationsDirectory } from '../database.ts';
import { readLife } from '../explain/index.ts';
import type { Offer } from '../money/channels/index.ts';
import { booksCloser } from '../money/ledger/index.ts';
import { assignSuspense, returnSuspense } from '../money/suspense/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { pending } from '../platform/postgres/migrate.ts';
import { readSweepRuns } from '../platform/sweep-runs.ts';
import type { Vault } from '../platform/vault.ts';
import { lateFiles, receiveTransfers } from '../rails/index.ts';
import { closeAccount } from './close-account.ts';
import { createFourEyes } from './four-eyes.ts';
import { createMachineLook } from './machine.ts';
import { waitingLettersOf } from './mails.ts';
import type { MoneyWing } from './money.ts';
import { createDesk } from './rail-desk.ts';
import { createRetention } from './retention.ts';

/** Builds the operators' tools: network files, suspense, books, accounts, the machine. */
export function createOfficeWing(
  base: Base,
  config: Config,
  { vault, money, offer }: { vault: Vault; money: MoneyWing; offer: Offer },
) {
  const { sql } = base;
  const railDesk = createDesk(base, config, { vault, money, offer });
  return {
    railDesk,
    readLife: readLife(base),
    lateFiles: (today: Temporal.PlainDate) => lateFiles(sql, today),
    receiveTransfer: receiveTransfers({
      sql,
      record: money.record,
      suspend: money.suspend,
      psp: config.CVU_PSP,
    }),
    fourEyes: createFourEyes(base, config),
    assignSuspense: assignSuspense(base, money.prepareFacts),
    returnSuspense: returnSuspense(base),
    closeBooks: booksCloser(sql),
    closeAccount: (actor: Actor, order: { accountId: string; reason: string }) =>
      closeAccount({ base, actor }, order),
    forgetOld: createRetention(base, config, railDesk),
    waitingLetters: waitingLettersOf(base, config),
    readMachine: createMachineLook(base, config, vault),
    readSweepRuns: () => readSweepRuns(sql),
    readAlarms: () => readAlarms(sql),
    missingMigrations: () => pending(sql, migrationsDirectory()),
  };
}
