import type { Page, PageRequest } from '../protocol/connector.ts';
import type { Notifier } from '../protocol/notify.ts';

// Changes of cards on file: delete this file where your acquirer tells of none.

interface Cards {
  tell: Notifier['tell'];
  /** Asks the acquirer for a card; null: there is none. */
  find: (reference: string) => Promise<{ reference: string; version: number } | null>;
}

/** The address at which the acquirer tells of a card. Its word is a hint: the acquirer is asked. */
export async function cardPage(
  { tell, find }: Cards,
  { method, path, query }: PageRequest,
): Promise<Page | null> {
  if (method !== 'POST' || path !== '/acquirer/cards') return null;
  const card = await find(query.get('reference') ?? '');
  if (card) await tell({ type: 'card.changed', card: card.reference }, String(card.version));
  return { status: 200, headers: {}, body: '' };
}
