import { system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { lockRequest, type RequestRow } from '../../requests/index.ts';
import { type MoneyAlarmKind, raiseForged, raiseMoneyAlarm } from '../alarms/index.ts';
import { type Channels, simulatorName } from '../channels/index.ts';
import { isMoneyOf, type ResultRow, readMoneyOf, readResults } from '../collections/index.ts';
import type { RefundVerbs } from '../refunds/index.ts';
import {
  end,
  goesBack,
  isForgedNote,
  lookAgain,
  type NotedRow,
  nextLook,
  note,
  type Reason,
  readDue,
  readNoted,
  readReturned,
  stampedUnwantedApprovals,
} from './store.ts';

export interface Approval {
  account_id: string;
  attempt_id: number;
  request_id: number;
}

/** Unwanted approvals, which are recorded like any other, then returned to their payers. */
export interface UnwantedApprovals {
  /**
   * Notes an approval that may have to be returned, before it is recorded. A null `why` returns it
   * only if its request was paid in another way. `always` overrides the account's setting. Returns
   * false if the payment certainly stays.
   */
  note(approval: Approval, why: Reason | null, always?: boolean): Promise<boolean>;
  /**
   * Decides a noted and recorded approval, and returns its money if so decided. Returns true if the
   * money is returned, or if an error leaves it to the sweep.
   */
  decide(approval: Approval): Promise<boolean>;
  sweep: Sweep;
}

interface Parts {
  base: Base;
  connected: Channels;
  refunds: Pick<RefundVerbs, 'order'>;
}

/** Interval between checks. */
const lookAfter = { minutes: 5 };

const reasons: Record<Reason, string> = {
  late: 'It was approved after its attempt was closed.',
  paid_otherwise: 'It was approved after its request was paid in another way.',
  excluded: 'It was paid by a card that the request excludes.',
};

const hasGone = ({ amount, refunded, charged_back: back }: ResultRow): boolean =>
  refunded + back >= amount;

const takesMany = ({ details }: RequestRow): boolean => details.multiple_payment === true;

/** Returns true if the request has another payment, apart from those that are returned. */
async function paidOtherwise(tx: Queryable, mine: ResultRow): Promise<boolean> {
  const { account_id: accountId, request_id: id } = mine;
  const results = await readResults(tx, [{ accountId, id }]);
  const goBack = (await readReturned(tx, mine)).map(isMoneyOf);
  return results.some(
    (row) => row.type === 'collected' && row.id !== mine.id && !goBack.some((is) => is(row)),
  );
}

interface Decided {
  noted: NotedRow;
  request: RequestRow;
  payment: ResultRow;
  /** True if this call made the decision. */
  isNews: boolean;
}

/**
 * Decides under the request's lock, so that of two concurrent approvals one is returned. Returns
 * null if the approval is not noted or its payment not recorded, `forged` if no process of the
 * service noted it.
 */
async function decideUnderLock(
  { base: { sql } }: Parts,
  { account_id: accountId, attempt_id: attemptId, request_id: id }: Approval,
): Promise<Decided | 'forged' | null> {
  return await sql.begin(async (tx) => {
    const key = { accountId, id };
    const request = await lockRequest(tx, key);
    const noted = await readNoted(tx, { account_id: accountId, attempt_id: attemptId });
    const payment = await readMoneyOf(tx, key, attemptId);
    if (!request || !noted || !payment) return null;
    if (await isForgedNote(tx, noted)) return 'forged';
    if (noted.state !== 'noted') return { noted, request, payment, isNews: false };
    // An open QR takes any number of payments, so it never reads the others.
    const another = noted.why === null && !takesMany(request) && (await paidOtherwise(tx, payment));
    const why = another ? 'paid_otherwise' : noted.why;
    if (why === null) await end(tx, noted, 'kept');
    else await goesBack(tx, noted, why);
    const state = why === null ? 'kept' : 'returning';
    return { noted: { ...noted, why, state }, request, payment, isNews: true };
  });
}

const alarm = (
  base: Base,
  { noted, payment }: Decided,
  kind: MoneyAlarmKind,
  message: string,
): Promise<unknown> =>
  raiseMoneyAlarm(base, {
    kind,
    fact: `attempt ${noted.account_id}-${noted.attempt_id}`,
    message,
    amount: payment.amount,
    connector: payment.details.connector ?? simulatorName,
    accountId: noted.account_id,
    requestId: noted.request_id,
    attemptId: noted.attempt_id,
    resultId: payment.id,
  });

const named = ({ noted }: Decided): string =>
  `attempt ${noted.account_id}-${noted.attempt_id} of request ${noted.request_id}`;

export function createUnwantedApprovals(parts: Parts): UnwantedApprovals {
  const { base, refunds } = parts;
  const { sql, clocks, log } = base;

  /** Leaves the payment recorded and alerts the operator. */
  const keep = async (decided: Decided, because: string): Promise<void> => {
    await alarm(base, decided, 'not_returned', `${named(decided)} stays recorded: ${because}`);
    await end(sql, decided.noted, 'kept');
  };

  /** Orders the refund and records its outcome. Idempotent. */
  const giveBack = async (decided: Decided, why: Reason): Promise<void> => {
    const { noted, request, payment } = decided;
    const refund = await refunds.order({
      key: { accountId: noted.account_id, id: noted.request_id },
      kind: request.kind,
      resultId: payment.id,
      amount: null,
      cbu: null,
      reference: `unwanted:${noted.attempt_id}`,
      actor: system,
      // The payment was never wanted, so a retained fee must not block its refund.
      uncovered: true,
      why: reasons[why],
    });
    if (refund.state === 'done') await end(sql, noted, 'returned');
    if (refund.state === 'failed') await keep(decided, `its refund ${refund.id} failed`);
    if (refund.state === 'requested') {
      const inquiryAt = refund.ask_at ?? clocks.business.now();
      await lookAgain(sql, noted, inquiryAt.add({ minutes: 1 }));
    }
  };

  const goOn = async (decided: Decided): Promise<boolean> => {
    const { noted, payment, isNews } = decided;
    if (noted.state !== 'returning' || noted.why === null) return noted.state === 'returned';
    if (isNews && noted.why === 'excluded') {
      const text = `${payment.channel_label} was charged, but the request excludes it`;
      await alarm(base, decided, 'excluded_brand', `${text}: ${named(decided)}`);
    }
    try {
      await giveBack(decided, noted.why);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
      if (hasGone(payment)) await end(sql, noted, 'returned');
      else await keep(decided, error.message);
      return hasGone(payment);
    }
    return true;
  };

  const decide = async (approval: Approval): Promise<boolean> => {
    const decided = await decideUnderLock(parts, approval);
    if (decided === 'forged') {
      const { account_id: accountId, attempt_id: id } = approval;
      await raiseForged(base, [{ accountId, kind: stampedUnwantedApprovals.kind, id }]);
      return false;
    }
    return decided !== null && (await goOn(decided));
  };

  return {
    note: (approval, why, always = false) =>
      note(sql, { ...approval, why }, { lookAt: clocks.business.now().add(lookAfter), always }),
    async decide(approval) {
      try {
        return await decide(approval);
      } catch (error) {
        // The approval is recorded, and the sweep finishes the rest.
        log.error(
          { err: error, attempt: approval.attempt_id },
          'an approval could not be returned',
        );
        return true;
      }
    },
    sweep: {
      name: 'unwanted approvals given back',
      nextDue: () => nextLook(sql),
      async run(now) {
        let gone = 0;
        for (const row of await readDue(sql, now)) {
          // Reschedule first, so that an approval that keeps failing does not block the others.
          await lookAgain(sql, row, clocks.business.now().add(lookAfter));
          try {
            if (await decide(row)) gone += 1;
          } catch (error) {
            log.error({ err: error, attempt: row.attempt_id }, 'an approval could not be returned');
          }
        }
        return gone;
      },
    },
  };
}
