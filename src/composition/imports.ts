import type { Calendar } from '../calendar/index.ts';
import type { Config } from '../config/index.ts';
import { barcodeTermsOf } from '../config/rails.ts';
import { bankDebitCreator, type DebitRequests, debitChecks } from '../debit-requests/index.ts';
import {
  adhesionKind,
  adhesionMaker,
  createAsRequests,
  createImportVerbs,
  createMove,
  debitKinds,
  debitMakers,
  importWork,
  type Kinds,
  type Move,
  paymentRequestKind,
  paymentRequestMaker,
  qrKind,
  qrMaker,
} from '../imports/index.ts';
import { findMandates, type MandateVerbs, moveInMandates } from '../mandates/index.ts';
import { type Offer, offeredChannels } from '../money/channels/index.ts';
import { readPlans } from '../money/plans/index.ts';
import { createPaymentRequests, type PaymentRequests } from '../payment-requests/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { createFreeQrs, type Dynamics } from '../qr/index.ts';
import { debitTermsOf } from './debits.ts';
import { qrTermsOf } from './offer.ts';
import { carriersFor } from './terms.ts';

export interface ImportTerms {
  links: Links;
  offer: Offer;
  calendar(): Promise<Calendar>;
}

/** Returns the kinds of entities that spreadsheet rows can become. */
const kindsOf = (base: Base, config: Config, { links, offer, calendar }: ImportTerms): Kinds => ({
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
  qr: qrKind({ business: base.clocks.business, links, terms: qrTermsOf(config, offer) }),
  ...debitKinds(debitChecks(base, { loadCalendar: calendar, terms: debitTermsOf(config) })),
  adhesion: adhesionKind(() => carriersFor(config).bankFault() === null),
});

/** Builds the migration from another provider, without the service's other parts. */
export const createMoveIn = (base: Base, config: Config, terms: ImportTerms): Move => {
  const carriers = carriersFor(config);
  const findMandate = findMandates(base);
  const requests = createPaymentRequests(base, terms.links, barcodeTermsOf(config));
  const bankDebits = bankDebitCreator(base, {
    findMandate,
    carryFault: () => carriers.bankFault(),
    loadCalendar: terms.calendar,
    terms: debitTermsOf(config),
  });
  return createMove(base, {
    kinds: kindsOf(base, config, terms),
    makers: {
      requests: {
        payment_request: { create: createAsRequests(requests) },
        qr: { create: createFreeQrs(base) },
        debit_request: { create: createAsRequests(bankDebits) },
      },
      mandates: moveInMandates(base, carriers),
    },
    findMandate,
  });
};

/**
 * Builds the verbs by which users upload, check and confirm spreadsheets. `createImportWork` does
 * the rest.
 */
export const createImports = (base: Base, config: Config, terms: ImportTerms) =>
  createImportVerbs(base, kindsOf(base, config, terms));

export interface ImportWork extends ImportTerms {
  requests: PaymentRequests;
  dynamics: Dynamics;
  debits: DebitRequests;
  mandates: MandateVerbs;
}

export const createImportWork = (
  base: Base,
  config: Config,
  { requests, dynamics, debits, mandates, ...terms }: ImportWork,
) =>
  importWork(base, kindsOf(base, config, terms), {
    payment_request: paymentRequestMaker(requests),
    qr: qrMaker(dynamics),
    ...debitMakers(debits),
    adhesion: adhesionMaker(mandates),
  });
