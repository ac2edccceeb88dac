import { type ListedCharge, listedBetween, readListed } from '../../money/charges/index.ts';
import { trxRef } from '../../money/collections/index.ts';
import { findUnmatched } from '../../money/suspense/index.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Connector } from '../connector.ts';
import { type NoticeParts, sourceOf } from '../facts.ts';
import type { ListedCharges, Span } from '../lists.ts';
import { heedNotice } from '../notices.ts';
import { attemptIn, attemptText } from '../order.ts';
import { type DayReport, type ListCoverage, note } from './report.ts';

type Theirs = ListedCharges[number];
type Key = { accountId: string; attemptId: number };

const keyOf = ({ account_id: accountId, id: attemptId }: ListedCharge): Key => ({
  accountId,
  attemptId,
});

/** Returns true if part of a payment is neither reversed nor in an open refund. */
const isLive = ({ collected }: ListedCharge): boolean =>
  collected !== null &&
  collected.charged_back === 0 &&
  collected.amount > collected.refunded + collected.refunding;

/** Compares the refunds that the acquirer may know of. Returns null if they match. */
function refundFault(
  theirs: Theirs,
  collected: NonNullable<ListedCharge['collected']>,
  givesBack: boolean,
): string | null {
  const { refunded, refunding, charged_back: chargedBack, restored, retaken } = collected;
  // If the channel cannot refund, the operator transferred refunds without the acquirer's
  // knowledge.
  const least = givesBack ? Math.max(0, refunded - restored) : 0;
  const most = refunded + refunding + chargedBack + retaken;
  if (theirs.refunded >= Math.min(least, theirs.amount) && theirs.refunded <= most) return null;
  return `refunded ${theirs.refunded} centavos, but ${refunded + chargedBack + retaken} are recorded`;
}

/**
 * Describes the difference between their charge and ours, as the end of a sentence. Returns null if
 * they agree.
 */
function differenceOf(theirs: Theirs, ours: ListedCharge, givesBack: boolean): string | null {
  const { collected } = ours;
  if (theirs.outcome !== 'approved') {
    return isLive(ours) ? `says ${theirs.outcome}, but a payment is recorded` : null;
  }
  if (collected === null) return `took ${theirs.amount} centavos, but no payment is recorded`;
  if (collected.amount !== theirs.amount) {
    return `took ${theirs.amount} centavos, but ${collected.amount} are recorded`;
  }
  return refundFault(theirs, collected, givesBack);
}

const nameOf = ({ attempt, payment, reference }: Theirs): string =>
  `charge ${attempt ?? payment?.trx ?? reference}`;

/**
 * Returns functions that find our side of a listed charge, and query the acquirer where the two
 * differ.
 */
function createLooks(parts: NoticeParts, name: string) {
  const { sql, attempts } = parts;

  /** Handles a listed charge like a notice: queries it, and trusts only the answer. */
  const mend = async (theirs: Theirs, key: Key | null): Promise<void> => {
    const { payment, amount } = theirs;
    try {
      if (key) {
        await heedNotice(parts, name, { type: 'charge.changed', attempt: attemptText(key) });
      } else if (payment && theirs.outcome === 'approved') {
        await heedNotice(parts, name, { type: 'qr.confirmed', ...payment, amount });
      }
    } catch (error) {
      // If it is refused, the difference stays a finding.
      if (!(error instanceof Refusal)) throw error;
    }
  };

  const keyIn = async ({ attempt, payment }: Theirs): Promise<Key | null> => {
    if (attempt !== undefined) return attemptIn(attempt);
    return payment ? await attempts.network.find({ connector: name, trx: payment.trx }) : null;
  };

  const oursOf = async (key: Key | null): Promise<ListedCharge | null> =>
    key && ((await readListed(sql, name, [key]))[0] ?? null);

  const waits = async (trx: string): Promise<boolean> =>
    (await findUnmatched(sql, sourceOf(name), trxRef(trx))) !== null;

  return { mend, keyIn, oursOf, waits };
}

type RecentSpan = Span & { young: Temporal.Instant };

/** Reports our charges of the day that the list lacks. Recent ones may not be in it yet. */
async function compareMissing(
  sql: Queryable,
  name: string,
  day: { coverage: ListCoverage; span: RecentSpan; report: DayReport },
): Promise<void> {
  const { seen, unlisted } = day.coverage;
  const { from, until, young } = day.span;
  let after: ListedCharge | null = null;
  do {
    const page: ListedCharge[] = await listedBetween(sql, name, { from, until, after });
    for (const ours of page) {
      const isYoung = Temporal.Instant.compare(ours.started_at, young) > 0;
      if (!ours.collected || isYoung || seen.has(attemptText(keyOf(ours)))) continue;
      if (unlisted.has(ours.account_id)) continue;
      const { amount } = ours.collected;
      const what = `charge ${attemptText(keyOf(ours))} of request ${ours.request_id}: ${amount} centavos are recorded, but ${name} lists no such charge`;
      note(day.report.findings, ours.account_id, what);
    }
    after = page.at(-1) ?? null;
  } while (after !== null);
}

export function createChargeComparison(parts: NoticeParts, connector: Connector) {
  const { name } = connector.settings;
  const { mend, keyIn, oursOf, waits } = createLooks(parts, name);

  const givesBack = ({ channel }: ListedCharge): boolean =>
    connector.channel.giveBack(channel) !== null;

  /** Compares a wallet's payment without an attempt of ours, which may be in suspense. */
  async function comparePayment(theirs: Theirs, trx: string, report: DayReport): Promise<void> {
    if (theirs.outcome !== 'approved') return;
    report.charges += 1;
    if (await waits(trx)) return;
    const what = `${nameOf(theirs)}: ${name} took ${theirs.amount} centavos without a notice`;
    await mend(theirs, null);
    const found = await oursOf(await keyIn(theirs));
    const isMended = found !== null || (await waits(trx));
    note(isMended ? report.recorded : report.findings, found?.account_id ?? null, what);
  }

  /** Reports a charge whose id is not ours. */
  async function compareUnknown(theirs: Theirs, key: Key | null, report: DayReport) {
    if (theirs.payment) return await comparePayment(theirs, theirs.payment.trx, report);
    report.foreign += 1;
    if (!key || theirs.outcome !== 'approved') return;
    const what = `${nameOf(theirs)}: ${name} took ${theirs.amount} centavos, but the charge is unknown here`;
    note(report.findings, null, what);
  }

  /**
   * Compares a hold, which is not money yet. The inquiry captures or voids it, and an expired one
   * is a finding.
   */
  async function compareHold(theirs: Theirs, key: Key, report: DayReport): Promise<void> {
    await mend(theirs, key);
    const ours = await oursOf(key);
    const what = `${nameOf(theirs)} of request ${ours?.request_id}: ${name} held ${theirs.amount} centavos`;
    if (ours?.collected) note(report.recorded, key.accountId, `${what}, which are captured now`);
    const expired = ours?.held_until;
    if (ours?.collected || !expired) return;
    if (Temporal.Instant.compare(expired, parts.business.now()) > 0) return;
    note(report.findings, key.accountId, `${what} until ${expired}, without a capture or void`);
  }

  async function compareKnown(theirs: Theirs, report: DayReport): Promise<Key | null> {
    const key = await keyIn(theirs);
    const ours = await oursOf(key);
    if (!ours) {
      await compareUnknown(theirs, key, report);
      return await keyIn(theirs);
    }
    report.charges += 1;
    if (key && theirs.outcome === 'authorized' && ours.collected === null) {
      await compareHold(theirs, key, report);
      return key;
    }
    const difference = differenceOf(theirs, ours, givesBack(ours));
    if (difference === null) return key;
    const what = `${nameOf(theirs)} of request ${ours.request_id}: ${name} ${difference}`;
    await mend(theirs, key);
    const after = await oursOf(key);
    const isMended = after && differenceOf(theirs, after, givesBack(after)) === null;
    note(isMended ? report.recorded : report.findings, ours.account_id, what);
    return key;
  }

  async function compareOne(theirs: Theirs, report: DayReport): Promise<Key | null> {
    try {
      return await compareKnown(theirs, report);
    } catch (error) {
      // Our records of this charge are forged, which raised an alarm, so continue with the others.
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      note(report.findings, null, `${nameOf(theirs)}: ${error.message}`);
      return null;
    }
  }

  return {
    compareOne,
    compareMissing: (coverage: ListCoverage, span: RecentSpan, report: DayReport) =>
      compareMissing(parts.sql, name, { coverage, span, report }),
  };
}
