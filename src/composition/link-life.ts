import { midnightOf } from '../kernel/dates.ts';
import { hasSigned, lastSignBefore } from '../mandates/index.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { hasStatics } from '../qr/index.ts';
import { lastLinkedDue } from '../requests/index.ts';
import type { LivesUntil } from '../secrets/index.ts';

/** A link outlives its request, because people return for receipts. */
const readableFor: Temporal.DurationLike = { hours: 90 * 24 };

/**
 * Printed codes never expire, and a signature is revoked through its link, so check again later.
 */
const lookAgainIn: Temporal.DurationLike = { hours: 30 * 24 };

/**
 * Returns when the last of the links created before an instant expires, of requests, mandates and
 * static QRs, or when to check again. Returns null if there are none.
 */
export const linksLiveUntil =
  (sql: Sql): LivesUntil =>
  async ({ madeBefore }, now) => {
    const [due, signBefore, signed, statics] = await Promise.all([
      lastLinkedDue(sql, madeBefore),
      lastSignBefore(sql, madeBefore),
      hasSigned(sql, madeBefore),
      hasStatics(sql, madeBefore),
    ]);
    const ends = [
      due && midnightOf(due.add({ days: 1 })).add(readableFor),
      signBefore?.add(readableFor) ?? null,
      signed || statics ? now.add(lookAgainIn) : null,
    ].filter((end) => end !== null);
    return ends.toSorted(Temporal.Instant.compare).at(-1) ?? null;
  };
