import { Changed } from './charges.ts';
import { type Connector, NeverSent, type StoredAccount, Unfit } from './connector.ts';
import { digestOf, type Journal } from './journal.ts';
import type { AccountOutcome, OpenOrder } from './messages.ts';
import { createTurns } from './turns.ts';

export interface AccountCalls {
  put: (order: OpenOrder) => Promise<AccountOutcome>;
}

/** Digests what a repeated order must share with the first: account, request and CUIT. */
const meaningOf = ({ account, request, holder }: OpenOrder): string =>
  digestOf({ account: account.id, request: request.id, cuit: holder.cuit });

/**
 * Accounts for transfers, one per reference. Returns an open account again; after any other answer,
 * or none, repeats the order, which never opens a second account.
 */
export function createAccounts(
  { accounts, manifest }: Connector,
  journal: Journal<StoredAccount, AccountOutcome>,
): AccountCalls {
  const inTurn = createTurns();
  const opening = manifest.channels.filter((one) => one.opens_accounts === true);
  const call = (reference: string) => ({
    signal: AbortSignal.timeout(1000 * Math.max(...opening.map((one) => one.answers_within_s))),
    remember: (memo: unknown) => journal.remember(reference, memo),
  });

  const answer = async (reference: string, outcome: AccountOutcome): Promise<AccountOutcome> => {
    await journal.answer(reference, outcome);
    return outcome;
  };

  async function openOnce(order: OpenOrder): Promise<AccountOutcome> {
    const { reference, business_time: begunAt } = order;
    if (!accounts || opening.length === 0)
      throw new Unfit('This connector does not open accounts.');
    const digest = meaningOf(order);
    const before = await journal.begin(reference, { digest, begunAt, kept: {} });
    if (before && before.digest !== digest) {
      throw new Changed(`The account ${reference} was ordered before for another request.`);
    }
    if (before?.outcome?.outcome === 'open') return before.outcome;
    try {
      return await answer(reference, await accounts.open(order, before, call(reference)));
    } catch (error) {
      if (error instanceof NeverSent) {
        const { alarm } = error;
        return await answer(reference, { outcome: 'unheard', ...(alarm && { alarm }) });
      }
      if (!(error instanceof Unfit)) throw error;
      const text = error.message.slice(0, 255);
      return await answer(reference, { outcome: 'rejected', code: 'unfit', text });
    }
  }

  return { put: (order) => inTurn(order.reference, () => openOnce(order)) };
}
