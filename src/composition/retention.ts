import type { Config } from '../config.ts';
import { keepMailsTold } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import { forgetOldKeys } from '../platform/idempotency.ts';
import { forgetMails } from '../platform/mail/forget.ts';
import type { RailDesk } from '../rails/index.ts';

/** Removes what is kept for a time of the wall clock, and no longer. */
export const createRetention =
  ({ sql, clocks }: Base, config: Config, railDesk: Pick<RailDesk, 'forgetOld'>) =>
  async (): Promise<void> => {
    const now = clocks.wall.now();
    while ((await forgetOldKeys(sql, now)) > 0);
    await railDesk.forgetOld(now.subtract({ hours: config.UPLOAD_RETENTION_HOURS }));
    const mailed = now.subtract({ hours: config.MAIL_RETENTION_DAYS * 24 });
    while ((await forgetMails(sql, mailed, keepMailsTold(sql))) > 0);
  };
