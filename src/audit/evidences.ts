import { accountEvidence, keyEvidence } from '../accounts/index.ts';
import { runEvidence } from '../debit-requests/index.ts';
import { erasureEvidence, eventEvidence, operatorEventEvidence } from '../events/index.ts';
import { instrumentEvidence, mandateEvidence, storedCardEvidence } from '../mandates/index.ts';
import { moneyAlarmEvidence, stampedClosings } from '../money/alarms/index.ts';
import {
  stampedAttempts,
  stampedHolds,
  stampedNetworkCharges,
  stampedReferences,
} from '../money/charges/index.ts';
import { resultEvidence, withheldEvidence } from '../money/collections/index.ts';
import { correctionEvidence } from '../money/corrections/index.ts';
import { disputeEvidence } from '../money/disputes/index.ts';
import { feeEvidence } from '../money/fees/index.ts';
import { journalEvidence, stampedJournals } from '../money/ledger/index.ts';
import { payoutEvidence } from '../money/payouts/index.ts';
import { proposalEvidence } from '../money/proposals/index.ts';
import { refundEvidence } from '../money/refunds/index.ts';
import { settlementEvidence } from '../money/settlements/index.ts';
import { suspenseEvidence } from '../money/suspense/index.ts';
import { stampedUnwantedApprovals } from '../money/unwanted/index.ts';
import { transferAccountEvidence } from '../payment-requests/index.ts';
import { staticEvidence } from '../qr/index.ts';
import { railFileEvidence } from '../rails/index.ts';
import { requestEvidence } from '../requests/index.ts';
import type { Evidence, Stamped } from '../seals/index.ts';
import { membershipEvidence, userEvidence } from '../users/index.ts';
import { webhookEvidence } from '../webhooks/index.ts';

export const evidences: readonly Evidence[] = [
  journalEvidence,
  eventEvidence,
  erasureEvidence,
  operatorEventEvidence,
  requestEvidence,
  resultEvidence,
  withheldEvidence,
  mandateEvidence,
  instrumentEvidence,
  runEvidence,
  payoutEvidence,
  proposalEvidence,
  refundEvidence,
  disputeEvidence,
  correctionEvidence,
  suspenseEvidence,
  settlementEvidence,
  moneyAlarmEvidence,
  accountEvidence,
  keyEvidence,
  membershipEvidence,
  feeEvidence,
  staticEvidence,
  transferAccountEvidence,
  storedCardEvidence,
  userEvidence,
  webhookEvidence,
  railFileEvidence,
];

/** Kinds of rows that have a stamp of the process that wrote them. */
export const stamped: readonly Stamped[] = [
  ...evidences.flatMap((one) => one.stamped ?? []),
  stampedJournals,
  stampedAttempts,
  stampedHolds,
  stampedReferences,
  stampedNetworkCharges,
  stampedUnwantedApprovals,
  stampedClosings,
];
