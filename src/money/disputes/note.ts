import { isoDateTime } from '../../kernel/dates.ts';
import { toJsonNumber } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import {
  hasNameOfItsOwn,
  lockRequest,
  type RequestKind,
  requestRefusal,
} from '../../requests/index.ts';
import { refusal } from './codes.ts';
import type { DisputeChange, DisputeRow } from './dispute.ts';
import { writeDispute } from './store.ts';
import { readDispute } from './store-reads.ts';

const eventData = (row: DisputeRow, kind: RequestKind): Record<string, unknown> => ({
  // Events name a QR by its code, so their data must contain the request's id.
  ...(hasNameOfItsOwn(kind) && { request_id: row.request_id }),
  dispute_id: row.id,
  dispute_state: row.state,
  amount: toJsonNumber(row.amount),
  taken: toJsonNumber(row.taken),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.evidence_due_at !== null && { evidence_due_at: isoDateTime(row.evidence_due_at) }),
});

export type NoteDispute = (change: DisputeChange, actor: Actor) => Promise<void>;

/**
 * Records a dispute's state, with an event on its request. Ignores revisions that are not newer, so
 * that repeated and late notices are harmless. Throws 404 for an unknown request, 409 if the name
 * belongs to another charge's dispute.
 */
export const noteDispute =
  ({ sql, clocks, recordIds }: Base): NoteDispute =>
  async (change, actor) => {
    const [id = 0, eventId = 0] = await recordIds.take(2);
    await sql.begin(async (tx) => {
      const { account_id: accountId, request_id: requestId } = change;
      // Serializes changes to a dispute.
      const request = await lockRequest(tx, { accountId, id: requestId });
      if (!request) throw requestRefusal('request.not_found', {});
      const known = await readDispute(tx, change);
      if (known && known.attempt_id !== change.attempt_id) {
        throw refusal('dispute.other_charge', { name: change.name });
      }
      if (known && known.revision >= change.revision) return;
      const at = clocks.business.now();
      const row = { ...change, id: known?.id ?? id, opened_at: known?.opened_at ?? at };
      const event = { id: eventId, kind: request.kind, at, actor };
      const stored = { ...row, changed_at: at };
      await writeDispute(tx, stored, { ...event, data: eventData(stored, request.kind) });
    });
  };
