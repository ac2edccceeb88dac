import type { Account } from '../../accounts/index.ts';
import type { Base } from '../../platform/base.ts';
import type { EmailHead } from '../../platform/mail/layout.ts';
import type { FindPaymentRequest, RequestWithResults } from '../get.ts';
import { type DressParts, dressMail, payerMailStillPending } from './dress.ts';
import { followSeals } from './follow.ts';
import { reminderSweep } from './remind.ts';
import { isMailable, resendMail } from './resend.ts';
import { changeMailSettings, changeMailText, readMailSettings, readMailTexts } from './settings.ts';
import { countStops, stopVerbs } from './stops.ts';
import { previewMail } from './texts/preview.ts';
import { type ReadAccount, writeDue } from './write.ts';

export interface PayerMailParts extends DressParts {
  find: FindPaymentRequest;
  readAccount: ReadAccount;
  headOf(account: Account): Promise<EmailHead>;
}

export function createPayerMails(base: Base, parts: PayerMailParts) {
  const { sql, clocks } = base;
  return {
    settingsOf: (accountId: string) => readMailSettings(sql, accountId),
    changeSettings: changeMailSettings(base),
    textsOf: (accountId: string) => readMailTexts(sql, accountId),
    changeText: changeMailText(base),
    preview: previewMail(base, parts),
    /** Counts addresses that no longer receive requests and reminders. */
    countStops: (accountId: string) => countStops(sql, accountId),
    stops: stopVerbs(base),
    resend: resendMail(base, parts),
    /** Returns true if there is an email to resend, judging by the request alone. */
    isMailable: ({ row, results }: RequestWithResults) =>
      isMailable(row, results, clocks.business.today()),
    sweep: reminderSweep(base),
    /** Queues emails for created and paid requests, then writes due emails until none is left. */
    async work(signal?: AbortSignal): Promise<void> {
      await followSeals(base);
      while (!signal?.aborted && (await writeDue(base, parts.readAccount)) > 0);
    },
    dress: dressMail(base, parts),
    linkStillPending: payerMailStillPending(clocks.business, parts.readAccount),
  };
}

export type PayerMails = ReturnType<typeof createPayerMails>;
