import { readAccount } from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import { chargeSweep, createDebitVerbs, hasUndecided } from '../debit-requests/index.ts';
import { createMandateVerbs, decryptNumber } from '../mandates/index.ts';
import type { Channels } from '../money/channels/index.ts';
import type { Attempts } from '../money/charges/index.ts';
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
  connected: Channels;
  attempts: Attempts;
}

/**
 * Returns how many debits are charged at once: at least one, at most 16, and at most half of what
 * each connector takes, to leave the rest to payers.
 */
const chargesOf = ({ CONNECTORS }: Config): number =>
  Math.max(1, Math.min(16, ...(CONNECTORS ?? []).map((one) => Math.floor(one.callsAtOnce / 2))));

export function createMandateWing(
  base: Base,
  config: Config,
  { links, vault, find, money, connected, attempts }: MandateWingParts,
) {
  const carriers = carriersFor(config);
  const mandates = createMandateVerbs(base, {
    carriers,
    connected,
    hasUndecided: (key) => hasUndecided(base.sql, key),
    links,
    vault,
    readAccount: (id) => readAccount(base.sql, id),
    mostUnsigned: mostUnsignedOf(base.sql, config),
    afterCreate: config.ENVIRONMENT === 'sandbox' ? signInSandbox : async () => {},
  });
  const debits = createDebitVerbs(base, {
    carryFault: (mandate) => {
      if (mandate.kind === 'adhesion') return carriers.bankFault();
      const { brand } = mandate.details;
      // A card on file is charged by the acquirer that stores it.
      if (mandate.keeps_card || brand === undefined) return null;
      return carriers.cardFault({ number: decryptNumber(vault, mandate), brand });
    },
    find,
    recordFacts: money.recordFacts,
    mandates,
    loadCalendar: money.calendar,
    terms: debitTermsOf(config),
  });
  const { settle } = debits;
  const charging = chargeSweep(base, { attempts, connected, settle, atOnce: chargesOf(config) });
  return { mandates, debits, charging };
}

export type MandateWing = ReturnType<typeof createMandateWing>;
