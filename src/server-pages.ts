import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import helmet from '@fastify/helmet';
import { logoRoutes } from './accounts/http.ts';
import { readLogo } from './accounts/index.ts';
import {
  checkoutRoutes,
  checkoutScripts,
  type Draft,
  homeRoutes,
  previewPage,
} from './checkout/index.ts';
import type { Parts } from './composition/parts.ts';
import { documentRoutes, unsubscribeRoutes } from './payment-requests/http.ts';
import type { Acting } from './platform/base.ts';
import type { App } from './platform/http/server.ts';
import { accentRoutes } from './platform/pages/accent.ts';
import { assetRoutes, icon, styles } from './platform/pages/assets.ts';
import { portalAssets, portalRoutes } from './portal/index.ts';
import { type SimulatedRequests, simulatorAssets, simulatorPages } from './sandbox/http.ts';
import { testCards } from './sandbox/index.ts';
import { signingRoutes, signScript } from './signing/index.ts';

/**
 * Returns the content security policy of our pages. Allows nothing foreign, except the form targets
 * in `formAction`.
 */
const policyFor = (formAction: string[]) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    formAction,
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
});

/**
 * Compresses pages and their assets. Secrets compressed along with input could be guessed by their
 * length (BREACH). Payers' pages identify nobody by a cookie, so an attacker who can trigger one
 * knows its address, which is its only secret. Form tokens, the secrets in pages of the portal, are
 * masked each time. API responses are not compressed here.
 */
const compression = {
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  threshold: 1024,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } },
};

const checkoutPartsOf = (parts: Parts) => ({
  sql: parts.base.sql,
  links: parts.links,
  offer: parts.offer,
  connected: parts.connected,
  transferAccounts: parts.transferAccounts,
  drawn: parts.drawn,
  coupons: parts.coupons,
  sandbox: parts.sandbox,
  testCards,
  requests: parts.requests,
  readAccount: parts.readAccount,
  business: parts.clocks.business,
  loadCardKinds: parts.loadCardKinds,
});

/** Adds the pages that payers and holders open by their links. */
export async function payerPages(app: App, parts: Parts): Promise<void> {
  const { requests, readAccount, links, offer, transferAccounts, drawn } = parts;
  const { find } = requests;
  const readLogoOf = (accountId: string, hash: string) => readLogo(parts.base.sql, accountId, hash);
  documentRoutes(app, {
    find,
    readAccount,
    links,
    offer,
    transferAccounts,
    drawn,
    coupons: parts.coupons,
  });
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: policyFor(["'self'", 'https:', 'http:']),
      referrerPolicy: { policy: 'no-referrer' },
    });
    await pages.register(compress, compression);
    const own = [styles, icon, ...checkoutScripts, signScript, ...portalAssets];
    assetRoutes(pages, parts.sandbox ? [...own, ...simulatorAssets] : own);
    await unsubscribeRoutes(pages, {
      links,
      stops: parts.payerMails.stops,
      readAccount,
      sandbox: parts.sandbox,
    });
    accentRoutes(pages);
    logoRoutes(pages, readLogoOf);
    homeRoutes(pages, { sandbox: parts.sandbox });
    await signingRoutes(pages, {
      mandates: parts.mandates,
      links,
      business: parts.clocks.business,
      sandbox: parts.sandbox,
      readAccount,
    });
    await checkoutRoutes(pages, checkoutPartsOf(parts));
  });
  if (parts.sandbox) {
    await simulatorPages(app, { origin: links.origin, business: parts.clocks.business });
  }
}

export async function portalPages(
  app: App,
  parts: Parts & {
    simulated: SimulatedRequests | null;
    replayLetter: (acting: Acting, id: number) => Promise<void>;
  },
): Promise<void> {
  await app.register(async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: policyFor(["'self'"]),
      // `no-referrer` would also hide the Origin of forms, which `comesFromUs` checks.
      referrerPolicy: { policy: 'same-origin' },
    });
    await pages.register(compress, compression);
    const preview = (draft: Draft) => previewPage(draft, checkoutPartsOf(parts));
    await portalRoutes(pages, { ...parts, preview });
  });
}
