import type { Config } from '../config/index.ts';
import { type DebitTerms, settleRuns } from '../debit-requests/index.ts';
import { endMandates, replaceInstrument } from '../mandates/index.ts';
import type { Base } from '../platform/base.ts';
import type { Vault } from '../platform/vault.ts';
import type { DebitBooks } from '../rails/index.ts';
import { createMoneyWing, type MoneyWing } from './money.ts';

type DebitSettings = Pick<Config, 'DEBIT_LEAD_DAYS' | 'DEBIT_HANDOVER_DAYS' | 'CARD_CUT_DAY'>;

export const debitTermsOf = (config: DebitSettings): DebitTerms => ({
  bankLead: config.DEBIT_LEAD_DAYS,
  handover: config.DEBIT_HANDOVER_DAYS,
  cardCutDay: config.CARD_CUT_DAY,
});

/** Records the answers of banks and card processors, in a process without a server. */
export function createDebitBooks(
  base: Base,
  vault: Vault,
  config: DebitSettings,
  { calendar, recordFacts, reverse, suspend }: MoneyWing = createMoneyWing(base),
): DebitBooks {
  const endMandate = endMandates(base);
  return {
    base,
    vault,
    settle: settleRuns({
      base,
      recordFacts,
      endMandate,
      loadCalendar: calendar,
      terms: debitTermsOf(config),
    }),
    suspend,
    reverse,
    endMandate,
    replaceInstrument: replaceInstrument(base, vault),
  };
}
