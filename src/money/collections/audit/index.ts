import type { Queryable } from '../../../platform/postgres/connect.ts';
import { checkDailyTotals } from '../daily/totals.ts';
import { resultsAreTold } from './events.ts';
import { journalsHaveResults, resultsHaveJournals } from './journals.ts';
import { lateWithoutReason, lateWithReason } from './late-releases.ts';
import { partsComeBack, reversalsMatch } from './reversals.ts';
import { figuresAgree, resultsAddUp, statesAgree } from './sums.ts';
import { termsAreKept } from './terms.ts';

type AuditCheck = (sql: Queryable, accountId: string) => Promise<string[]>;

/** Compares an account's collections with its ledger, events, terms and registers. */
export const collectionChecks: readonly AuditCheck[] = [
  resultsHaveJournals,
  journalsHaveResults,
  resultsAreTold,
  figuresAgree,
  resultsAddUp,
  partsComeBack,
  reversalsMatch,
  termsAreKept,
  lateWithoutReason,
  statesAgree,
  checkDailyTotals,
];

/** Irregularities recorded when they happened. */
export const collectionRemarks: readonly AuditCheck[] = [lateWithReason];
