import type { Page, PageRequest } from '../protocol/connector.ts';
import type { Notifier } from '../protocol/notify.ts';

// Disputes of payments: delete this file where your acquirer tells of none.

/** A dispute as this imagined acquirer shows it, beside its sale. */
export interface Dispute {
  id: string;
  /** Counts its changes. */
  version: number;
  status: 'open' | 'won' | 'lost';
  amount: number;
  /** The amount it holds back until it decides, and for good once it is lost. */
  held: number;
  evidence_until: string;
}

const states = { open: 'evidence_due', won: 'won', lost: 'lost' } as const;

interface Disputes {
  tell: Notifier['tell'];
  /** Asks the acquirer for the dispute of a sale; null: there is none. */
  find: (reference: string) => Promise<Dispute | null>;
}

/** The address at which the acquirer tells of a dispute. Its word is a hint: the acquirer is asked. */
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
