import type { Page, PageRequest } from '../protocol/connector.ts';
import type { Notifier } from '../protocol/notify.ts';

// Disputes of payments: delete this file if your acquirer reports none.

/** A dispute of this imaginary acquirer, listed with its sale. */
export interface Dispute {
  id: string;
  /** Increases with each change. */
  version: number;
  status: 'open' | 'won' | 'lost';
  amount: number;
  /** The amount withheld until the decision, and for good if the dispute is lost. */
  held: number;
  evidence_until: string;
}

const states = { open: 'evidence_due', won: 'won', lost: 'lost' } as const;

interface Disputes {
  tell: Notifier['tell'];
  /** Queries the acquirer for a sale's dispute; null if there is none. */
  find: (reference: string) => Promise<Dispute | null>;
}

/** Receives the acquirer's dispute notices. Each is only a hint, so the acquirer is queried. */
export async function disputePage(
  { tell, find }: Disputes,
  { method, path, query }: PageRequest,
): Promise<Page | null> {
  if (method !== 'POST' || path !== '/acquirer/disputes') return null;
  const attempt = query.get('reference') ?? '';
  const dispute = await find(attempt);
  if (dispute) {
    const { id, version: revision, status, amount, held, evidence_until } = dispute;
    await tell({
      type: 'dispute.changed',
      id,
      attempt,
      revision,
      state: states[status],
      amount,
      taken: held,
      ...(status === 'open' && { evidence_due_at: evidence_until }),
    });
  }
  return { status: 200, headers: {}, body: '' };
}
