import { findBySource, resultsOfSource } from '../../money/collections/index.ts';
import { findUnmatched } from '../../money/suspense/index.ts';
import { Refusal } from '../../platform/errors.ts';
import { type NoticeParts, sourceOf } from '../facts.ts';
import type { ListedTransfers, Span } from '../lists.ts';
import { heedNotice } from '../notices.ts';
import { type DayReport, type ListCoverage, note } from './report.ts';

type Theirs = ListedTransfers[number];

interface Ours {
  accountId: string | null;
  amount: number;
  /**
   * `gone`: reversed by its bank, or refunded. `returned`: the operator returned it from suspense.
   */
  state: 'here' | 'gone' | 'returned';
}

const refOf = (id: string): string => `transfer ${id}`;

/** Runs `heed`. Returns false if the connector may not report the notice. */
async function isAllowed(heed: () => Promise<unknown>): Promise<boolean> {
  try {
    await heed();
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'forbidden') return false;
    throw error;
  }
}

export function createTransferComparison(parts: NoticeParts, name: string) {
  const { sql } = parts;
  const source = sourceOf(name);

  const oursOf = async (id: string): Promise<Ours | null> => {
    const result = await findBySource(sql, source, refOf(id));
    if (result) {
      const { account_id: accountId, amount, refunded, charged_back: chargedBack } = result;
      const isGone = chargedBack > 0 || refunded >= amount;
      return { accountId, amount, state: isGone ? 'gone' : 'here' };
    }
    const money = await findUnmatched(sql, source, refOf(id));
    if (!money) return null;
    const states = {
      open: 'here',
      assigned: 'gone',
      returned: 'returned',
      reversed: 'gone',
    } as const;
    return { accountId: null, amount: money.amount, state: states[money.state] };
  };

  async function compareOne(theirs: Theirs, report: DayReport): Promise<void> {
    const { id, cvu, amount, paid_at, state } = theirs;
    report.transfers += 1;
    let ours = await oursOf(id);
    if (!ours) {
      const notice = { type: 'transfer.received', id, cvu, amount, paid_at } as const;
      if (!(await isAllowed(() => heedNotice(parts, name, notice)))) {
        const what = `${refOf(id)}: ${amount} centavos arrived, which ${name} is not allowed to report`;
        note(report.findings, null, what);
        return;
      }
      ours = await oursOf(id);
      if (!ours) throw new Error(`${refOf(id)} was recorded but does not exist`);
      const what = `${refOf(id)}: ${amount} centavos arrived without a notice`;
      note(report.recorded, ours.accountId, what);
    }
    if (ours.amount !== amount) {
      const what = `${refOf(id)}: ${name} says ${amount} centavos, but ${ours.amount} are recorded`;
      note(report.findings, ours.accountId, what);
    }
    if (state !== 'reversed' || ours.state === 'gone') return;
    await heedNotice(parts, name, { type: 'transfer.reversed', id, amount });
    if (ours.state === 'returned') {
      const what = `${refOf(id)} was returned from suspense, and also reversed by its bank`;
      note(report.findings, null, what);
      return;
    }
    note(report.recorded, ours.accountId, `${refOf(id)} was reversed without a notice`);
  }

  async function compareMissing(
    { seen, unlisted }: ListCoverage,
    span: Span,
    report: DayReport,
  ): Promise<void> {
    const rows = await resultsOfSource(sql, { source, begins: 'transfer ', ...span });
    for (const { account_id: accountId, source_ref: ref, amount } of rows) {
      if (seen.has(ref) || unlisted.has(accountId)) continue;
      note(
        report.findings,
        accountId,
        `${ref}: ${amount} centavos are recorded, but ${name} lists no such transfer`,
      );
    }
  }

  return { compareOne, compareMissing, refOf };
}
