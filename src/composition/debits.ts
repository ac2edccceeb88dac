import type { Config } from '../config/index.ts';
import { type DebitTerms, settleRuns } from '../debit-requests/index.ts';
import { endMandates, replaceInstrument } from '../mandates/index.ts';
import { reverseSuspense } from '../money/suspense/index.ts';
import type { Base } from '../platform/base.ts';
import type { Vault } from '../platform/vault.ts';
import type { DebitBooks } from '../rails/index.ts';
import { createMoneyWing, type MoneyWing } from './money.ts';
import { carriersFor } from './terms.ts';

type DebitSettings = Pick<Config, 'DEBIT_LEAD_DAYS' | 'DEBIT_HANDOVER_DAYS' | 'CARD_CUT_DAY'>;

export const debitTermsOf = (config: DebitSettings): DebitTerms => ({
  bankLead: config.DEBIT_LEAD_DAYS,
  handover: config.DEBIT_HANDOVER_DAYS,
  cardCutDay: config.CARD_CUT_DAY,
});

/**
 * Builds the verbs that book the answers of banks and card processors. Commands use them without a
 * server.
 */
export function createDebitBooks(
  base: Base,
  vault: Vault,
  config: Config,
  { calendar, recordFacts, reverse, suspend }: MoneyWing = createMoneyWing(base),
): DebitBooks {
  const endMandate = endMandates(base);
  const carriers = carriersFor(config);
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
    reverseSuspense: reverseSuspense(base),
    endMandate,
    carriers,
    replaceInstrument: replaceInstrument(base, vault, carriers),
  };
}
