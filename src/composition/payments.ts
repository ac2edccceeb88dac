import type { Config } from '../config/index.ts';
import { barcodeTermsOf } from '../config/rails.ts';
import type { Channels } from '../money/channels/index.ts';
import { createAttemptVerbs } from '../money/charges/index.ts';
import { requestFinder } from '../money/collections/index.ts';
import { createRefundVerbs } from '../money/refunds/index.ts';
import { createUnwantedApprovals } from '../money/unwanted/index.ts';
import { createPaymentRequestVerbs } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { createCardKindLoader } from './cards.ts';
import type { MoneyWing } from './money.ts';
import { cardVelocityOf, tryLimitsOf } from './terms.ts';

export interface PaymentWingParts {
  links: Links;
  money: MoneyWing;
  connected: Channels;
}

/** Builds payment requests, charge attempts and refunds. */
export function createPaymentWing(
  base: Base,
  config: Config,
  { links, money, connected }: PaymentWingParts,
) {
  const loadCardKinds = createCardKindLoader(base, config);
  const refunds = createRefundVerbs({ base, connected });
  const unwanted = createUnwantedApprovals({ base, connected, refunds });
  const attempts = createAttemptVerbs(base, {
    connected,
    record: money.record,
    unwanted,
    limits: tryLimitsOf(config),
    velocity: cardVelocityOf(config),
    loadCardKinds,
  });
  const find = requestFinder(base);
  const requests = createPaymentRequestVerbs(base, {
    find,
    links,
    barcode: barcodeTermsOf(config),
    attempts,
    record: money.record,
  });
  return { loadCardKinds, refunds, unwanted, attempts, find, requests };
}
