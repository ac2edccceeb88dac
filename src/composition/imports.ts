import type { Config } from '../config.ts';
import { barcodeTermsOf } from '../config-rails.ts';
import {
  createImportVerbs,
  importWork,
  type Kinds,
  paymentRequestKind,
  paymentRequestMaker,
} from '../imports/index.ts';
import { type Offer, offeredChannels } from '../money/channels/index.ts';
import { readPlans } from '../money/plans/index.ts';
import type { PaymentRequests } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';

export interface ImportTerms {
  links: Links;
  offer: Offer;
}

/** What the rows of spreadsheets can become here. */
const kindsOf = (base: Base, config: Config, { links, offer }: ImportTerms): Kinds => ({
  payment_request: paymentRequestKind({
    barcode: barcodeTermsOf(config).format,
    clocks: base.clocks,
    links,
    cards: {
      offered: offeredChannels(offer),
      plansFor: async (accountId, amount) =>
        offer.credit_card ? await readPlans(base.sql, accountId, amount) : [],
    },
  }),
});

/** Imports of spreadsheets, for who decides about them: workers do the rest. */
export const createImports = (base: Base, config: Config, terms: ImportTerms) =>
  createImportVerbs(base, kindsOf(base, config, terms));

/** What the workers of a service repeat for them. */
export const createImportWork = (
  base: Base,
  config: Config,
  { requests, ...terms }: ImportTerms & { requests: PaymentRequests },
) =>
  importWork(base, kindsOf(base, config, terms), {
    payment_request: paymentRequestMaker(requests),
  });
