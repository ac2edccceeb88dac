import type { Outcome } from '../protocol/messages.ts';

type Rejected = Extract<Outcome, { outcome: 'rejected' }>;
interface Refusal {
  text: string;
  retry: Rejected['retry'];
  /** A fault that the operator must fix. */
  alarm?: string;
}

const callIssuer: Refusal = { text: 'The issuer wants to be called first.', retry: 'call_issuer' };
const declined: Refusal = { text: 'The card was declined.', retry: 'other_instrument' };
const noFunds: Refusal = { text: 'Insufficient funds or limit.', retry: 'same_later' };
const otherPlan: Refusal = { text: 'Not in that many installments.', retry: 'same_now' };
const mistyped: Refusal = { text: 'Number, date or code is not right.', retry: 'same_now' };
const notValid: Refusal = { text: 'The card is not valid any more.', retry: 'other_instrument' };
const capture: Refusal = { text: 'The card was declined.', retry: 'never' };
const notEnabled: Refusal = {
  text: 'The card is not enabled for this purchase.',
  retry: 'other_instrument',
};
const outOfService: Refusal = { text: 'Out of service for a moment.', retry: 'same_later' };
const ours: Refusal = {
  text: 'The payment could not be processed.',
  retry: 'never',
  alarm: 'The acquirer refuses for a reason of our set-up',
};
const fraud: Refusal = { text: 'The card was declined.', retry: 'other_instrument' };

const rows: readonly [readonly number[], Refusal][] = [
  [[1, 2, 7, 76, 91], callIssuer],
  // No account behind the card, PIN required, or too many attempts: retyping does not help.
  [[5, 38, 47, 53, 94], declined],
  [[51, 61, 65], noFunds],
  [[45, 48, 50, 77], otherPlan],
  [[8, 14, 39, 55], mistyped],
  [[46, 54], notValid],
  [[4, 43], capture],
  [[56, 57], notEnabled],
  [[28, 31, 96, 97, 150, 151, 152, 153], outOfService],
  [[3, 12, 13, 25, 30, 49, 58, 89, 95, 98, 101, 102], ours],
  [[-1, 202, 231, 481], fraud],
];

/** The acquirer's refusal reasons, from its own plug-in's table. */
export const refusals: ReadonlyMap<number, Refusal> = new Map(
  rows.flatMap(([ids, refusal]) => ids.map((id) => [id, refusal] as const)),
);

/** Fallback by kind, as in the acquirer's libraries, for reasons missing from the table. */
const byType: Readonly<Record<string, Refusal>> = {
  invalid_number: mistyped,
  security_code_error: mistyped,
  expired_card: notValid,
  insufficient_amount: noFunds,
  request_authorization_card: callIssuer,
  cybersource_error: fraud,
  group_rejected: declined,
  card_declined: declined,
  processing_error: declined,
  invalid_card: notValid,
};

/** Reasons for missing or wrong fraud control data, which we must send. */
const isMissingData = (reason: number): boolean => reason >= 10_101 && reason <= 10_733;

const missingData: Refusal = {
  ...ours,
  alarm:
    'The fraud control of the site misses data: see PAYWAY_FRAUD_CONTROL and the account settings',
};

/** Converts a refusal to the protocol. */
export function refusalOf(type: string, reason: number | null): Rejected {
  const listed = reason === null ? undefined : refusals.get(reason);
  const ofFraudControl = reason !== null && isMissingData(reason) ? missingData : undefined;
  const known = listed ?? ofFraudControl ?? byType[type] ?? declined;
  const code = String(reason ?? (type || 'rejected')).slice(0, 32);
  return {
    outcome: 'rejected',
    code,
    text: known.text,
    retry: known.retry,
    ...(known.alarm && { alarm: `${known.alarm}: reason ${code}.` }),
  };
}
