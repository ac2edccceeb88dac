import { setImmediate as othersTurn } from 'node:timers/promises';
import { itemAt } from '../../kernel/lists.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { batcher, byAccount, orThrow } from '../../platform/batcher.ts';
import {
  type CreationOutcome,
  type IdempotencyClaim,
  recall,
  type StoredAnswer,
} from '../../platform/idempotency.ts';
import { type Creation, createRequests } from '../../requests/index.ts';
import { type Batch, repeatedIds } from '../batch.ts';
import { BatchRefusal, type ItemFault } from '../errors/batch-refusal.ts';
import { successCodes } from '../errors/codes.ts';
import { type QrItem, takenFault } from '../item.ts';
import { newQr, type QrRow } from '../row.ts';
import { isTakenId, takenIds } from './store.ts';

/** Rows built per turn of the event loop. */
const rowsAtOnce = 1_000;

/** A call that saves QRs, and the key of its stored response. */
export interface SaveQrs {
  ctx: Ctx;
  batch: Batch<QrItem>;
  claim: IdempotencyClaim | null;
}

const idsOf = ({ batch }: SaveQrs): string[] => batch.ids.filter((id) => id !== null);

const takenFaults = ({ batch }: SaveQrs, taken: ReadonlySet<string>): ItemFault[] =>
  batch.ids.flatMap((id, index) =>
    id !== null && taken.has(id) ? [{ index, id, ...takenFault() }] : [],
  );

/** Returns true if the items are valid by themselves. Their ids may be taken. */
const isValid = ({ batch }: SaveQrs): boolean =>
  batch.faults.length === 0 && new Set(batch.ids).size === batch.ids.length;

/** Returns all faults of a call as its refusal, or null. */
function refusalOf(call: SaveQrs, taken: ReadonlySet<string>): BatchRefusal | null {
  const byForm = [...call.batch.faults, ...repeatedIds(call.batch)];
  const byStore = takenFaults(call, taken);
  const faults = [...byForm, ...byStore].toSorted((a, b) => a.index - b.index);
  if (faults.length === 0) return null;
  return new BatchRefusal(byForm.length > 0 ? 'qr.items_invalid' : 'qr.ids_taken', 'saved', faults);
}

const answerOf = (rows: QrRow[]): StoredAnswer => ({
  status: successCodes.saved.status,
  body: JSON.stringify({
    code: successCodes.saved.code,
    message: 'Ok',
    total_count: rows.length,
    data: rows.map(({ code }) => ({ id: code })),
  }),
});

/** Saves the QRs of several calls in one statement and one commit. */
const insertCalls = async (base: Base, calls: SaveQrs[]): Promise<(CreationOutcome | Error)[]> => {
  const total = calls.reduce((sum, { batch }) => sum + batch.items.length, 0);
  const [ids, eventIds] = await Promise.all([
    base.requestIds.take(total),
    base.recordIds.take(calls.length),
  ]);
  const now = base.clocks.business.now();
  const creations: Creation[] = [];
  let used = 0;
  for (const [index, { ctx, batch, claim }] of calls.entries()) {
    const made: QrRow[] = [];
    for (const { value } of batch.items) {
      if (used > 0 && used % rowsAtOnce === 0) await othersTurn();
      made.push(newQr(value, { accountId: ctx.accountId, id: itemAt(ids, used++), now }));
    }
    const rows = made as [QrRow, ...QrRow[]];
    const eventId = itemAt(eventIds, index);
    creations.push({ rows, eventId, actor: ctx.actor, claim, answer: answerOf(rows) });
  }
  return await createRequests(base.sql, creations, base.clocks.wall.now());
};

/**
 * Returns each refused call's stored response, or its refusal without one. A call that is faulty
 * today, for example with a past due date, may repeat one that succeeded.
 */
async function repeatedOr(
  { sql }: Base,
  refused: { call: SaveQrs; refusal: Error }[],
): Promise<(CreationOutcome | Error)[]> {
  const claims = refused.flatMap(({ call: { ctx, claim } }) =>
    claim ? [{ ...claim, accountId: ctx.accountId }] : [],
  );
  const stored = claims.length > 0 ? await recall(sql, claims) : [];
  return refused.map(({ call, refusal }) => {
    const answer = call.claim ? (stored.shift() ?? null) : null;
    if (answer === null) return refusal;
    return answer instanceof Error ? answer : { kind: 'replayed', answer };
  });
}

/** Looks up taken ids, then saves the calls without faults. */
async function judgeAndSave(base: Base, calls: SaveQrs[]): Promise<(CreationOutcome | Error)[]> {
  const keys = calls.flatMap((call) =>
    idsOf(call).map((id) => ({ accountId: call.ctx.accountId, id })),
  );
  const taken = new Set((await takenIds(base.sql, keys)).keys());
  const judged = calls.map((call) => ({ call, refusal: refusalOf(call, taken) }));
  const refused = judged.flatMap(({ call, refusal }) => (refusal ? [{ call, refusal }] : []));
  const fine = judged.flatMap(({ call, refusal }) => (refusal ? [] : [call]));
  const saved = fine.length > 0 ? await insertCalls(base, fine) : [];
  const repeated = await repeatedOr(base, refused);
  return judged.map(
    ({ refusal }) => (refusal ? repeated : saved).shift() as CreationOutcome | Error,
  );
}

/**
 * Saves QRs, all of a call or none. Concurrent single-item calls share a statement. A call that is
 * alone in its batch writes at once, and looks for taken ids only after a unique violation.
 */
export function saveQrs(base: Base) {
  const run = async (calls: SaveQrs[]): Promise<(CreationOutcome | Error)[]> => {
    const [call] = calls;
    if (call && calls.length === 1 && isValid(call)) {
      try {
        return await insertCalls(base, calls);
      } catch (error) {
        if (!isTakenId(error)) throw error;
      }
    }
    return await judgeAndSave(base, calls);
  };
  const single = batcher(
    run,
    { maxBatch: 200, maxQueue: 5_000, parallel: 1 },
    byAccount(base.sql, ({ ctx }) => ctx.accountId),
  );
  return orThrow(async (call: SaveQrs) =>
    call.batch.ids.length === 1 ? await single(call) : itemAt(await run([call]), 0),
  );
}
