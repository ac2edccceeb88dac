import type { Account } from '../accounts/index.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { idBlocks } from '../platform/postgres/id-blocks.ts';
import type { Vault } from '../platform/vault.ts';
import { bankRow } from './bank/row.ts';
import type { BankMandateInput } from './bank/schema.ts';
import { cancelMandate } from './cancel.ts';
import { createStoredCards, type StoredCardParts } from './card/on-file.ts';
import { expirySweep, lookAtCard } from './card/on-file-changes.ts';
import { cardRow } from './card/row.ts';
import type { CardMandateInput } from './card/schema.ts';
import { createTransportKeys } from './card/transport-key.ts';
import { closedSweep } from './closed.ts';
import { type Create, createMandates } from './create.ts';
import { endMandates } from './end.ts';
import { unsignedSweep } from './expire.ts';
import { findMandates, getMandate } from './get.ts';
import { listMandates } from './list.ts';
import type { DebitCarriers, MandateKey, MandateRow } from './mandate.ts';
import { presentMandate } from './present.ts';
import { remindHolders } from './remind.ts';
import { replaceInstrument } from './replace.ts';
import { answerMandates } from './sign.ts';
import { readEvidence } from './store.ts';
import { withdrawMandates } from './withdraw.ts';

/**
 * Replaces the digest of a body that contains a card number with a keyed one. A plain digest would
 * allow guessing the number.
 */
const blindClaim = <I>(vault: Vault, { claim, ...call }: Create<I>): Create<I> => ({
  ...call,
  claim: claim && {
    ...claim,
    fingerprint: vault.blind(claim.fingerprint),
    otherFingerprints: vault.blindBefore(claim.fingerprint),
  },
});

export interface MandateParts extends StoredCardParts {
  links: Links;
  vault: Vault;
  /** The rails that must carry the debits. */
  carriers: DebitCarriers;
  readAccount(id: string): Promise<Account | null>;
  /** Returns the maximum number of unsigned mandates of an account. 0 is unlimited. */
  mostUnsigned(accountId: string): Promise<number>;
  /** Runs for each new mandate before the call returns. The sandbox signs here. */
  afterCreate(row: MandateRow, answer: ReturnType<typeof answerMandates>): Promise<void>;
}

export function createMandateVerbs(
  base: Base,
  { links, vault, carriers, readAccount, mostUnsigned, afterCreate, ...keeping }: MandateParts,
) {
  const cards = createStoredCards(base, keeping);
  const find = findMandates(base);
  const end = endMandates(base);
  const answer = answerMandates(base, end);
  const transportKeys = createTransportKeys(base, vault, base.clocks.business);
  const shared = {
    readAccount,
    mostUnsigned,
    present: presentMandate,
    afterCreate: (row: MandateRow) => afterCreate(row, answer),
  };
  const createCard = createMandates<CardMandateInput>(base, {
    ...shared,
    ids: idBlocks(base.sql, 'card_adhesion_ids'),
    rowOf: cardRow(vault, transportKeys, carriers, () => cards.way() !== null),
  });
  const createBank = createMandates<BankMandateInput>(base, {
    ...shared,
    ids: idBlocks(base.sql, 'adhesion_ids'),
    rowOf: bankRow(carriers),
  });
  return {
    createBank: createBank.one,
    createManyBank: createBank.many,
    createCard: (call: Create<CardMandateInput>) => createCard.one(blindClaim(vault, call)),
    cards,
    lookAtCard: lookAtCard(base, keeping.connected),
    find,
    get: getMandate(find),
    list: listMandates(base),
    cancel: cancelMandate(end),
    withdraw: withdrawMandates(base),
    end,
    answer,
    replace: replaceInstrument(base, vault, carriers),
    publicKey: transportKeys.publicKey,
    remind: remindHolders(base, { links, readAccount }),
    evidenceOf: (key: MandateKey) => readEvidence(base.sql, key),
    sweeps: [unsignedSweep(base, end), closedSweep(base, end), cards.sweep, expirySweep(base)],
  };
}

export type MandateVerbs = ReturnType<typeof createMandateVerbs>;
