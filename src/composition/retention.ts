import type { Config } from '../config/index.ts';
import { keepMailOutcomes } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import { forgetOldKeys } from '../platform/idempotency.ts';
import { forgetMails } from '../platform/mail/forget.ts';
import type { RailDesk } from '../rails/index.ts';

/** Deletes data whose retention period on the wall clock is over. */
export const createRetention =
  ({ sql, clocks }: Base, config: Config, railDesk: Pick<RailDesk, 'deleteOld'>) =>
  async (): Promise<void> => {
    const now = clocks.wall.now();
    while ((await forgetOldKeys(sql, now)) > 0);
    await railDesk.deleteOld(now.subtract({ hours: config.UPLOAD_RETENTION_HOURS }));
    const mailed = now.subtract({ hours: config.MAIL_RETENTION_DAYS * 24 });
    while ((await forgetMails(sql, mailed, keepMailOutcomes(sql))) > 0);
  };
