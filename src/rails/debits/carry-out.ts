import { operatorBooks } from '../../accounts/index.ts';
import { decimalText } from '../../kernel/money.ts';
import { raiseForged, raiseMoneyAlarm } from '../../money/alarms/index.ts';
import { stampedSuspense } from '../../money/suspense/index.ts';
import { Refusal } from '../../platform/errors.ts';
import { changeLine } from '../files/store.ts';
import { type DebitBooks, type DecidedDebit, hasRemark, those } from './book.ts';
import { type DebitRemark, type InboundDebits, runOfReference } from './debit.ts';
import { findRunMoney, isWhole, type RunMoney } from './run-money.ts';

/** Marks a reversal that was not booked as unmatched, for the operator. */
const leave = (
  { base: { sql } }: DebitBooks,
  line: DecidedDebit,
  remark: DebitRemark,
): Promise<void> =>
  changeLine(sql, { ...line, outcome: 'unmatched', remarks: [...line.remarks, remark] });

/** Returns where an alarm points: to the money, or to the debit if there is none. */
function placeOf(money: RunMoney | null, { account_id, request_id }: DecidedDebit) {
  if (money?.payment === null) return { suspenseId: money.suspended.id };
  if (money) {
    const { accountId, payment } = money;
    return { accountId, requestId: payment.requestId, resultId: payment.id };
  }
  return {
    ...(account_id !== null && { accountId: account_id }),
    ...(request_id !== null && { requestId: request_id }),
  };
}

/** Raises an alarm about a reversal of another amount than the payment's, which is not booked. */
async function alarmOfPart(
  { base }: DebitBooks,
  rail: InboundDebits,
  decided: DecidedDebit,
  money: RunMoney | null,
): Promise<void> {
  const { file_id, line, item, request_id } = decided;
  await raiseMoneyAlarm(base, {
    kind: 'amount',
    fact: `${rail.name} ${file_id}:${line}`,
    message: `File ${file_id} of ${rail.name}, line ${line}, reverses ${decimalText(item.amount)} of debit ${request_id}, which is not what was paid. Nothing is booked.`,
    amount: item.amount,
    ...placeOf(money, decided),
  });
}

/**
 * Removes a run's money from suspense. The alarm stops an operator who is about to return it, so it
 * is raised first. If the money was already returned, it was paid out twice.
 */
async function reverseSuspended(
  { base, reverseSuspense }: DebitBooks,
  rail: InboundDebits,
  { item, request_id }: DecidedDebit,
  { amount, suspended: { id, state } }: Extract<RunMoney, { payment: null }>,
): Promise<void> {
  const note = item.news.type === 'reversed' ? item.news.comment : '';
  const actor = { kind: 'rail', name: rail.name } as const;
  const what = `The money of debit ${request_id}, number ${id} in suspense,`;
  const alarm = (isTwice: boolean): Promise<void> =>
    raiseMoneyAlarm(base, {
      kind: isTwice ? 'reversed_after_return' : 'reversed_in_suspense',
      fact: `${rail.name} ${item.reference}`,
      message: isTwice
        ? `${what} was returned by the operator, and its bank reversed it too.`
        : `${what} was reversed by its bank. Do not return it.`,
      amount,
      suspenseId: id,
    });
  await alarm(state === 'returned');
  const done = await reverseSuspense({ id, note, actor });
  // The operator may have returned it meanwhile.
  if (done === 'returned' && state !== 'returned') await alarm(true);
}

async function takeBack(
  books: DebitBooks,
  rail: InboundDebits,
  line: DecidedDebit,
  money: RunMoney,
): Promise<void> {
  if (money.payment === null) return await reverseSuspended(books, rail, line, money);
  const { item } = line;
  const { payment, accountId } = money;
  await books.reverse({
    key: { accountId, id: payment.requestId },
    type: 'chargeback',
    resultId: payment.id,
    amount: null,
    actor: { kind: 'rail', name: rail.name },
    // The run is the source, so that a repeat in another file causes no second reversal.
    source: 'debit reversal',
    sourceRef: item.reference,
    comment: item.news.type === 'reversed' ? item.news.comment : '',
    requestedOn: null,
  });
}

async function moneyOfLine(
  { base: { sql } }: DebitBooks,
  { account_id: accountId, request_id: requestId, item }: DecidedDebit,
): Promise<RunMoney | null> {
  const run = runOfReference(item.reference);
  if (!run || accountId === null || requestId === null) throw new Error('a reversal of no debit');
  const [money = null] = await findRunMoney(sql, [{ accountId, requestId, runNo: run.no }]);
  return money;
}

/**
 * Takes back a run's money, wherever it is. If that is not possible, or the amount is another one,
 * marks the line as unmatched, for the operator.
 */
async function reverseLine(
  books: DebitBooks,
  rail: InboundDebits,
  line: DecidedDebit,
  isSecond = false,
): Promise<void> {
  const money = await moneyOfLine(books, line);
  if (!money) return await leave(books, line, 'not_paid');
  const { ordered, item } = line;
  if (!isWhole({ line: item.amount, ordered, money: money.amount })) {
    await alarmOfPart(books, rail, line, money);
    return await leave(books, line, 'amount_differs');
  }
  try {
    await takeBack(books, rail, line, money);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
    if (money.payment === null && error.errorCode === 'suspense.forged') {
      const { id } = money.suspended;
      const { kind } = stampedSuspense;
      await raiseForged(books.base, [{ accountId: operatorBooks, kind, id }]);
    } else if (money.payment === null && !isSecond) {
      // The operator may have assigned the money meanwhile, which is final.
      return await reverseLine(books, rail, line, true);
    }
    await leave(books, line, 'not_paid');
  }
}

async function endLine(
  { endMandate }: DebitBooks,
  rail: InboundDebits,
  { mandate, item }: DecidedDebit,
): Promise<void> {
  if (!mandate) throw new Error('an end of no mandate');
  await endMandate({
    key: mandate.key,
    move: 'cancel',
    comment: item.news.type === 'mandate_ended' ? item.news.comment : '',
    actor: { kind: 'rail', name: rail.name },
    evidence: null,
  });
}

/**
 * Reverses payments and ends mandates. Call it after `bookRuns`, which records the payments. Raises
 * alarms about reversals that were left for their amount.
 */
export async function carryOut(
  books: DebitBooks,
  rail: InboundDebits,
  lines: DecidedDebit[],
): Promise<void> {
  const left = those(lines, 'unmatched').filter(
    ({ item, remarks }) => item.news.type === 'reversed' && hasRemark(remarks, 'amount_differs'),
  );
  for (const line of left) await alarmOfPart(books, rail, line, await moneyOfLine(books, line));
  for (const line of those(lines, 'reversed')) await reverseLine(books, rail, line);
  for (const line of those(lines, 'mandate_closed')) await endLine(books, rail, line);
}
