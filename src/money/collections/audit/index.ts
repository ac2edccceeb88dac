import type { Queryable } from '../../../platform/postgres/connect.ts';
import { checkDailyTotals } from '../daily/totals.ts';
import { checkResultEvents } from './events.ts';
import { journalsHaveResults, resultsHaveJournals } from './journals.ts';
import { lateWithoutReason, lateWithReason } from './late-releases.ts';
import { partsComeBack, reversalsMatch } from './reversals.ts';
import { figuresAgree, resultsAddUp, statesAgree } from './sums.ts';
import { checkTerms } from './terms.ts';

type AuditCheck = (sql: Queryable, accountId: string) => Promise<string[]>;

/** Compares an account's collections with its ledger, events, terms and registers. */
export const collectionChecks: readonly AuditCheck[] = [
  resultsHaveJournals,
  journalsHaveResults,
  checkResultEvents,
  figuresAgree,
  resultsAddUp,
  partsComeBack,
  reversalsMatch,
  checkTerms,
  lateWithoutReason,
  statesAgree,
  checkDailyTotals,
];

/** Irregularities recorded when they happened. */
export const collectionRemarks: readonly AuditCheck[] = [lateWithReason];
