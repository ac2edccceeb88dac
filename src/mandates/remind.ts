import { type Account, accountRefusal, notActive } from '../accounts/index.ts';
import { appendEvents } from '../events/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { refusal } from './codes.ts';
import { type MandateKey, type MandateRow, notThere } from './mandate.ts';
import { signingEmail, signingLinks } from './signing-email.ts';
import { lastDayToSign, signBefore } from './states.ts';
import { countReminder, lockMandate, queueEmail } from './store.ts';

export interface Reminder {
  key: MandateKey;
  /** True to issue a new link, valid for seven more days, which invalidates the former one. */
  newLink: boolean;
  /**
   * Version of the mandate that the user saw. Throws 409 if it changed since. Absent for any
   * version.
   */
  version?: number;
  actor: Actor;
}

export interface Reminded {
  recipient: string;
  /** The current signing link. */
  url: string;
  lastDay: Temporal.PlainDate;
}

export type RemindHolder = (reminder: Reminder) => Promise<Reminded>;

interface ReminderParts {
  links: Links;
  readAccount(id: string): Promise<Account | null>;
}

/**
 * Mails the request for a signature again, with the same or a new link. Throws 409 if the mandate
 * no longer waits for an answer or its account is closed, 403 if the account is suspended, 404 for
 * an unknown mandate.
 */
export const remindHolders =
  ({ sql, clocks, recordIds }: Base, { links, readAccount }: ReminderParts): RemindHolder =>
  async ({ key, newLink, version, actor }) => {
    const account = await readAccount(key.accountId);
    if (!account) throw accountRefusal('account.not_found', {});
    // The signing page of an account that is not active refuses signatures.
    if (account.state !== 'active') {
      throw notActive(account.state);
    }
    const [mailId = 0, eventId = 0] = await recordIds.take(2);
    const row = await sql.begin(async (tx): Promise<MandateRow> => {
      const mandate = await lockMandate(tx, key);
      if (!mandate) throw notThere(key.kind);
      if (version !== undefined && version !== mandate.version) {
        throw refusal('adhesion.changed_meanwhile', {});
      }
      const now = clocks.business.now();
      if (mandate.state !== 'pending_to_sign') {
        throw refusal('adhesion.not_waiting', { state: mandate.state });
      }
      if (Temporal.Instant.compare(mandate.sign_before, now) <= 0) {
        throw refusal('adhesion.time_to_sign_over', {});
      }
      const current = await countReminder(tx, key, newLink ? signBefore(now) : null);
      const letter = signingEmail(current, account);
      // Limits only reminders by users of the portal, so that they cannot flood a mailbox.
      const counts = actor.kind === 'user';
      const mail = { accountId: key.accountId, id: mailId, counts, ...letter };
      await queueEmail(tx, mail, clocks.wall.now());
      const event = {
        accountId: key.accountId,
        entity: key.kind,
        entityId: String(key.id),
        version: current.version,
        id: eventId,
        type: `${key.kind}.${newLink ? 'link_renewed' : 'letter_resent'}`,
        at: now,
        actor,
        data: { state: current.state },
      };
      await appendEvents(tx, [event]);
      return current;
    });
    const { accountId, kind, id } = key;
    return {
      recipient: row.email,
      url: signingLinks(links)({ accountId, kind, id, no: row.link_no }),
      lastDay: lastDayToSign(row),
    };
  };
