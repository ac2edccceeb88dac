import type { Config } from '../config/index.ts';
import type { Offer } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import type { Vault } from '../platform/vault.ts';
import { createRailDesk, type RailDesk, type RailTerms } from '../rails/index.ts';
import { createDebitBooks } from './debits.ts';
import type { MoneyWing } from './money.ts';
import { debitIdentityOf } from './offer.ts';

/** Returns this deployment's identifiers at networks, and the business day. */
export const railTermsOf = (
  config: Config,
  offer: Offer,
  today: Temporal.PlainDate,
): RailTerms => ({
  pagoFacilClient: config.PAGO_FACIL_CLIENT,
  rapipagoCompany: config.RAPIPAGO_COMPANY,
  pmcCompany: config.PMC_COMPANY,
  linkEntity: config.LINK_ENTITY,
  takesCash: offer.non_banking !== null,
  today,
});

/** Builds the exchange of files with networks and banks, for the operator's pages. */
export const createDesk = (
  base: Base,
  config: Config,
  { vault, money, offer }: { vault: Vault; money: MoneyWing; offer: Offer },
): RailDesk =>
  createRailDesk({
    books: { ...createDebitBooks(base, vault, config, money), record: money.recordFacts },
    calendar: money.calendar,
    terms: () => {
      const today = base.clocks.business.today();
      return { ...railTermsOf(config, offer, today), ...debitIdentityOf(config) };
    },
  });
