import { channelOf, findLastRun, type SettleRuns } from '../../debit-requests/index.ts';
import { brandOf } from '../../kernel/card-number.ts';
import { type Centavos, zero } from '../../kernel/money.ts';
import type { LocalizedText } from '../../language/localized-text.ts';
import { channels } from '../../money/channels/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { withAdvisoryLock } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import { fault, refusal } from '../codes.ts';
import type {
  BankSubmission,
  CardSubmission,
  DebitRailTerms,
  Presentation,
  Submission,
} from './debit.ts';
import { outboundDebits } from './formats.ts';
import { unfit } from './lines.ts';
import { lockName } from './part-files.ts';
import { bankSubmissions, cardSubmissions } from './submissions.ts';

/** A debit that was submitted but is not in any file yet. */
export interface WaitingDebit {
  accountId: string;
  requestId: number;
  no: 1 | 2;
  runOn: Temporal.PlainDate;
  amount: Centavos;
  /** Files that would carry the debit. Empty if none of this deployment's files can. */
  rails: string[];
  /** Why no file carries the debit, or null. */
  reason: string | LocalizedText | null;
}

interface Parts {
  base: Base;
  vault: Vault;
}

interface Look<S> {
  name: string;
  /** Returns undefined if the debit is not for this file, and null if it fits. */
  faultOf(one: S): string | null | undefined;
}

const trialOf = ({ today: date }: DebitRailTerms): Presentation => ({
  date,
  time: new Temporal.PlainTime(),
  count: 0,
  total: zero,
});

function bankLooks(terms: DebitRailTerms): Look<BankSubmission>[] {
  return outboundDebits.flatMap((rail) => {
    if (rail.kind !== 'debit_request' || !rail.isConfigured(terms)) return [];
    const writer = rail.createWriter(terms, trialOf(terms));
    return [{ name: rail.name, faultOf: (one: BankSubmission) => unfit(writer, one) }];
  });
}

function cardLooks(terms: DebitRailTerms): Look<CardSubmission>[] {
  return outboundDebits.flatMap((rail) => {
    if (rail.kind !== 'card_debit_request' || !rail.isConfigured(terms)) return [];
    const writer = rail.createWriter(terms, trialOf(terms));
    const isFor = (one: CardSubmission): boolean =>
      rail.brands(terms).some((brand) => brand === brandOf(one.number)) && rail.takes(one, terms);
    const faultOf = (one: CardSubmission) => (isFor(one) ? unfit(writer, one) : undefined);
    return [{ name: rail.name, faultOf }];
  });
}

function seen<S extends Submission>(one: S, looks: Look<S>[]): WaitingDebit {
  const faults = looks.map((look) => look.faultOf(one));
  const rails = looks.filter((_look, index) => faults[index] === null).map(({ name }) => name);
  const unfitted = faults.find((text) => typeof text === 'string');
  const { account_id: accountId, request_id: requestId, no, run_on: runOn, amount } = one.run;
  const reason = rails.length > 0 ? null : (unfitted ?? fault('debit.no_file', {}));
  return { accountId, requestId, no, runOn, amount, rails, reason };
}

/** Yields waiting debits, with the reason if no file carries them. */
export async function* waitingDebits(
  { base: { sql }, vault }: Parts,
  terms: DebitRailTerms,
): AsyncGenerator<WaitingDebit> {
  const key = { fileId: null, date: terms.today };
  const banks = bankLooks(terms);
  for await (const group of bankSubmissions(sql, key)) yield* group.map((one) => seen(one, banks));
  const cards = cardLooks(terms);
  for await (const group of cardSubmissions(sql, vault, key)) {
    yield* group.map((one) => seen(one, cards));
  }
}

async function readWaiting(sql: Queryable, requestId: number) {
  const run = await findLastRun(sql, requestId);
  if (!run) throw refusal('debit.not_found', {});
  if (run.waits) return run;
  throw refusal('debit.does_not_wait', {});
}

/** Rejection code of a debit that was never sent to a bank or processor. */
const notSentCode = 'NOT_SENT';

/**
 * Rejects a debit that no file carries, with the operator's reason. Throws 404 for an unknown
 * debit, and 409 if it is not waiting, because a bank may already have it. Blocks exports while it
 * runs.
 */
export async function rejectWaiting(
  { base, settle }: Pick<Parts, 'base'> & { settle: SettleRuns },
  { requestId, reason, actor }: { requestId: number; reason: string; actor: Actor },
): Promise<void> {
  const lock = { mode: 'exclusive', wait: true } as const;
  await withAdvisoryLock(base.sql, lockName, lock, async (tx) => {
    const { account_id: accountId, no, kind } = await readWaiting(tx, requestId);
    const at = base.clocks.business.now();
    const outcome = { type: 'rejected', at, code: notSentCode, text: reason } as const;
    const { label } = channels[channelOf[kind]];
    await settle([{ accountId, requestId, runNo: no, outcome, actor, label }]);
  });
}
