import { noteOperator } from '../../events/index.ts';
import type { Acting } from '../../platform/base.ts';
import { sendFailedAgain } from '../../platform/mail/outbox.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { accountIdsOf, operatorBooks } from '../account.ts';
import { refusal } from '../codes.ts';

/**
 * Returns the books of an account's emails. Without an account, returns all books, including the
 * operator's own, which contain invitations and password resets.
 */
export async function mailBooks(sql: Sql, account: string | null): Promise<string[]> {
  if (account === operatorBooks) return [operatorBooks];
  const accounts = await accountIdsOf(sql, account);
  return account === null ? [operatorBooks, ...accounts] : accounts;
}

/**
 * Queues failed emails again, and returns their number. A null `id` selects all. Throws 404 for an
 * email that did not fail.
 */
export async function resendMails(
  acting: Acting,
  { account, id }: { account: string | null; id: number | null },
): Promise<number> {
  const accountIds = await mailBooks(acting.sql, account);
  const eventId = await acting.recordIds.next();
  const now = acting.clocks.wall.now();
  return await acting.sql.begin(async (tx) => {
    const queued = await sendFailedAgain(tx, { accountIds, id, now });
    if (queued === 0 && id !== null) throw refusal('mail.not_failed', {});
    const happened = { entity: 'mail', entityId: String(id ?? 'all'), type: 'mail.resent' };
    if (queued > 0) await noteOperator(tx, acting, { eventId, ...happened, data: { queued } });
    return queued;
  });
}
