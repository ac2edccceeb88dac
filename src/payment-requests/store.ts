import type { Base } from '../platform/base.ts';
import { type CreationOutcome, createOnce } from '../platform/idempotency.ts';
import { createRequests, type NewRequest } from '../requests/index.ts';

/**
 * Inserts requests, their events and their stored answers in one statement. Where the idempotency
 * key was taken nothing is written, and the answer stored under it is given again.
 */
export const insertPaymentRequests = (
  { sql, clocks }: Base,
  creations: NewRequest[],
): Promise<(CreationOutcome | Error)[]> =>
  createOnce(
    sql,
    creations,
    clocks.wall.now(),
    (sorted, claims) => sql<{ id: number }[]>`
      with ${createRequests(sql, sorted, claims)}
      select id from fresh`,
  );
