import type { OperatorNote } from '../../events/index.ts';
import type { Acting } from '../../platform/base.ts';

/** Builds the event of a batch that was re-encrypted under the vault's current key. */
export const rewrapNote = async (
  { recordIds }: Acting,
  what: 'card numbers' | 'replaced card numbers' | 'card transport keys',
  fresh: readonly { account_id: string; card_key_id: string | null }[],
): Promise<OperatorNote> => ({
  eventId: await recordIds.next(),
  entity: 'vault_key',
  entityId: fresh[0]?.card_key_id ?? '',
  type: 'vault_key.rewrapped',
  data: { what, count: fresh.length, accounts: [...new Set(fresh.map((one) => one.account_id))] },
});
