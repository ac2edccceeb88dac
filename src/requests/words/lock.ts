import { advisoryLockNumber } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** The lock that serializes erasures with writing words. */
export const wordsLock = 'recaudo words of requests';

/**
 * Takes the lock of an erasure until its transaction ends. The indexer waits, and then sees what
 * was erased, so that it never writes words of former texts.
 */
export async function lockWords(tx: Queryable): Promise<void> {
  await tx`select pg_advisory_xact_lock(${advisoryLockNumber(wordsLock)}::bigint)`;
}
