import { readAccount } from '../accounts/index.ts';
import type { Config } from '../config.ts';
import { createDebitVerbs } from '../debit-requests/index.ts';
import { createMandateVerbs, decryptNumber } from '../mandates/index.ts';
import type { FindRequest } from '../money/collections/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { Vault } from '../platform/vault.ts';
import { signInSandbox } from '../sandbox/index.ts';
import { debitTermsOf } from './debits.ts';
import type { MoneyWing } from './money.ts';
import { carriersFor, mostUnsignedOf } from './terms.ts';

export interface MandateWingParts {
  links: Links;
  vault: Vault;
  find: FindRequest;
  money: MoneyWing;
}

/** Mandates, and the debits that are made on them. */
export function createMandateWing(
  base: Base,
  config: Config,
  { links, vault, find, money }: MandateWingParts,
) {
  const carriers = carriersFor(config);
  const mandates = createMandateVerbs(base, {
    carriers,
    links,
    vault,
    readAccount: (id) => readAccount(base.sql, id),
    mostUnsigned: mostUnsignedOf(base.sql, config),
    afterCreate: config.ENVIRONMENT === 'sandbox' ? signInSandbox : async () => {},
  });
  const debits = createDebitVerbs(base, {
    carryFault: (mandate) =>
      mandate.kind === 'adhesion'
        ? carriers.bankFault()
        : carriers.cardFault({
            number: decryptNumber(vault, mandate),
            brand: mandate.details.brand,
          }),
    find,
    recordFacts: money.recordFacts,
    mandates,
    loadCalendar: money.calendar,
    terms: debitTermsOf(config),
  });
  return { mandates, debits };
}

export type MandateWing = ReturnType<typeof createMandateWing>;
