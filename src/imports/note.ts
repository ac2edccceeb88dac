import { appendEvents } from '../events/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { type Import, importEntity } from './import.ts';

export interface NoteTerms {
  /** The event's type after the dot. */
  event: string;
  actor: Actor;
  eventId: number;
  data?: Record<string, unknown>;
}

/** Writes the event of an import's change, in the same transaction. */
export async function noteImport(
  tx: Transaction,
  { clocks }: Base,
  one: Import,
  { event, actor, eventId, data = {} }: NoteTerms,
): Promise<void> {
  await appendEvents(tx, [
    {
      accountId: one.account_id,
      entity: importEntity,
      entityId: String(one.id),
      version: one.version,
      id: eventId,
      type: `${importEntity}.${event}`,
      at: clocks.business.now(),
      actor,
      data: { state: one.state, ...data },
    },
  ]);
}
