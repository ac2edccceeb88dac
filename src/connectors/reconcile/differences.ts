import { centavos, decimalText } from '../../kernel/money.ts';
import type { ListedCharge } from '../../money/charges/index.ts';
import type { Acting } from '../../platform/base.ts';
import type { NoticeParts } from '../facts.ts';
import { type DayReport, note } from './report.ts';

/** Maximum number of single alarms of one kind in a comparison. One more covers the rest. */
const mostAlarms = 100;

export interface Parts extends NoticeParts {
  acting: Acting;
  name: string;
  /** The differences so far, by kind. */
  found: Map<string, { count: number; amount: number }>;
}

/**
 * Reports a difference. The first `mostAlarms` of a kind also raise an alarm, once for each fact.
 */
export async function differ(
  { raise, name: connector, found }: Parts,
  report: DayReport,
  difference: {
    code: string;
    fact: string;
    what: string;
    amount?: number;
    charge?: ListedCharge | null;
  },
): Promise<void> {
  const { code, fact, what, amount, charge } = difference;
  note(report.findings, charge?.account_id ?? null, what);
  const sum = found.get(code) ?? { count: 0, amount: 0 };
  found.set(code, { count: sum.count + 1, amount: sum.amount + (amount ?? 0) });
  if (sum.count >= mostAlarms) return;
  await raise({
    kind: 'settlement',
    fact: `${connector} ${fact}`,
    message: `${connector}: ${what}.`,
    connector,
    ...(amount !== undefined && { amount: centavos(amount) }),
    ...(charge && {
      accountId: charge.account_id,
      requestId: charge.request_id,
      attemptId: charge.id,
    }),
  });
}

/** Raises one alarm for each kind with more differences than are reported individually. */
export async function tellOthers({ raise, name: connector, found }: Parts, { day }: DayReport) {
  for (const [code, { count, amount }] of found) {
    if (count <= mostAlarms) continue;
    const sum = decimalText(centavos(amount));
    await raise({
      kind: 'settlement',
      fact: `${connector} ${day} ${code}`,
      message: `${connector}: ${count} differences of one kind (${code}) on ${day}, of ${sum} pesos in total. The first ${mostAlarms} have their own alarms.`,
      connector,
      amount: centavos(amount),
    });
  }
}
