import { readAccount } from '../accounts/index.ts';
import { type Config, resolveTokensOf } from '../config/index.ts';
import type { Offer } from '../money/channels/index.ts';
import type { Attempts } from '../money/charges/index.ts';
import type { PaymentRequests } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { createBulkVerbs, createQrVerbs } from '../qr/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { qrTermsOf } from './offer.ts';
import { storeOf } from './terms.ts';

export interface QrWingParts {
  links: Links;
  offer: Offer;
  attempts: Attempts;
  requests: PaymentRequests;
  webhooks: Webhooks;
}

/** Builds the QR part: dynamic and static QRs, resolving, and bulk imports. */
export function createQrWing(
  base: Base,
  config: Config,
  { links, offer, attempts, requests, webhooks }: QrWingParts,
) {
  const qrTerms = qrTermsOf(config, offer);
  const qr = createQrVerbs(base, {
    links,
    terms: {
      ...qrTerms,
      administratorName: config.QR_ADMINISTRATOR_NAME,
      cvuPsp: config.CVU_PSP,
    },
    resolveTokens: resolveTokensOf(config),
    attempts,
    readAccount: (id) => readAccount(base.sql, id),
    findBilled: requests.findOrder,
  });
  const bulk = createBulkVerbs(base, {
    links,
    s3: storeOf(config),
    quota: { open: config.UPLOADS_OPEN, bytes: config.UPLOADS_STORED_MIB * 1024 * 1024 },
    notifyOnce: webhooks.notifyOnce,
    addressFault: webhooks.guard.fault,
    onceSecret(accountId, entity, entityId) {
      const keyNo = webhooks.secrets.keyNo();
      const secret = webhooks.secrets.onceSecretOf({ accountId, entity, entityId, keyNo });
      if (secret === null) throw new Error('the key of webhooks is missing');
      return { secret, keyNo };
    },
  });
  return { qr, bulk, qrTerms };
}
