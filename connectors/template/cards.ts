import type { Page, PageRequest } from '../protocol/connector.ts';
import type { Notifier } from '../protocol/notify.ts';

// Changes of cards on file: delete this file if your acquirer reports none.

interface Cards {
  tell: Notifier['tell'];
  /** Queries the acquirer for a card; null if there is none. */
  find: (reference: string) => Promise<{ reference: string; version: number } | null>;
}

/** Receives the acquirer's card notices. Each is only a hint, so the acquirer is queried. */
export async function cardPage(
  { tell, find }: Cards,
  { method, path, query }: PageRequest,
): Promise<Page | null> {
  if (method !== 'POST' || path !== '/acquirer/cards') return null;
  const card = await find(query.get('reference') ?? '');
  if (card) await tell({ type: 'card.changed', card: card.reference }, String(card.version));
  return { status: 200, headers: {}, body: '' };
}
