import type { Config } from '../config/index.ts';
import { erasureSweep } from '../debit-requests/index.ts';
import { draftSweep } from '../imports/index.ts';
import type { Attempts } from '../money/charges/index.ts';
import { releaseSweep } from '../money/collections/index.ts';
import { deadlineSweep } from '../money/disputes/index.ts';
import { lapseSweep } from '../money/proposals/index.ts';
import type { RefundVerbs } from '../money/refunds/index.ts';
import type { UnwantedApprovals } from '../money/unwanted/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { Sweep } from '../platform/sweeps.ts';
import type { Vault } from '../platform/vault.ts';
import { expirySweep } from '../requests/index.ts';
import {
  simulatedDebits,
  simulatedReversals,
  simulatedSignatures,
  simulatedTransfers,
} from '../sandbox/index.ts';
import { retireSweep } from '../secrets/index.ts';
import { secretsLiveUntil } from '../webhooks/index.ts';
import { linksLiveUntil } from './link-life.ts';
import type { MandateWing } from './mandates.ts';
import type { MoneyWing } from './money.ts';

export interface SweptParts extends MandateWing {
  vault: Vault;
  links: Links;
  money: MoneyWing;
  attempts: Attempts;
  refunds: RefundVerbs;
  unwanted: UnwantedApprovals;
  /** Reminders of due dates to payers. */
  reminders: Sweep;
  /** Expiry of static QRs' transactions. */
  transactions: Sweep;
}

/**
 * Returns sweeps that need only the database. `doctor` reads their due times, because overdue work
 * shows that no worker runs.
 */
export const plainSweeps = (base: Base): Sweep[] => [
  releaseSweep(base),
  lapseSweep(base),
  draftSweep(base),
  expirySweep(base, 'payment_request', 'payment requests expired'),
  expirySweep(base, 'qr', 'QRs expired'),
];

/** Returns all sweeps, in the order in which they run when several are due at the same time. */
export function sweepsOf(base: Base, config: Config, parts: SweptParts): Sweep[] {
  const { vault, money, attempts, refunds, unwanted, mandates, debits, charging } = parts;
  const { reverse } = money;
  const { sql, clocks } = base;
  const sandbox = config.ENVIRONMENT === 'sandbox';
  return [
    attempts.sweep,
    refunds.sweep,
    unwanted.sweep,
    ...(sandbox ? [simulatedTransfers(base, refunds.end)] : []),
    ...(sandbox ? [simulatedReversals(base, reverse)] : []),
    ...(sandbox ? [simulatedSignatures(base, mandates.answer)] : []),
    ...mandates.sweeps,
    debits.sweep,
    charging,
    ...(sandbox ? simulatedDebits(base, { debits, mandates, vault, reverse }) : []),
    releaseSweep(base),
    lapseSweep(base),
    draftSweep(base),
    deadlineSweep(base, parts.links),
    parts.reminders,
    expirySweep(base, 'payment_request', 'payment requests expired'),
    parts.transactions,
    expirySweep(base, 'qr', 'QRs expired'),
    erasureSweep(base, config.CARD_REVERSAL_DAYS),
    retireSweep(base, {
      links: linksLiveUntil(sql),
      webhooks: secretsLiveUntil(sql, clocks.wall),
    }),
  ];
}
