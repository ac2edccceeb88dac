import { eraseLetters } from '../connectors/index.ts';
import { eraseImportRows, importsNeeded } from '../imports/index.ts';
import { partsOf } from '../kernel/lists.ts';
import { holdPersonalMandates } from '../mandates/index.ts';
import { refundsOf } from '../money/refunds/index.ts';
import { eraseMailStops, keepMailOutcomes } from '../payment-requests/index.ts';
import { actorText } from '../platform/actor.ts';
import type { Acting } from '../platform/base.ts';
import { eraseMails } from '../platform/mail/personal.ts';
import {
  type Erasing,
  emailPattern,
  numberPattern,
  type Person,
  type StillNeeded,
} from '../platform/person.ts';
import { eraseAnswers } from '../platform/personal-answers.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import {
  eraseHeldMandates,
  eraseHeldRequests,
  type MoneyTerms,
  readRequests,
  readSealedOf,
} from './batch.ts';
import { type Found, findPerson, isEmpty, madeOf } from './find.ts';

export interface ErasureOrder extends Pick<Person, 'cuit' | 'emails'> {
  accountIds: readonly string[];
  /** A case number, never a name, because events store it. */
  reason: string;
  /** Only finds what would be erased, and what is still needed. */
  dryRun: boolean;
  /** Days within which card debits can be reversed. */
  cardReversalDays: number;
}

/** Rows of one account: those found, or those that this call erased. */
export interface AccountErasure {
  accountId: string;
  mandates: number;
  requests: number;
  needed: StillNeeded[];
}

export interface Erasure {
  /**
   * `found`: a dry run. `needed`: rows are in use, and none was erased. `partly_erased`: rows came
   * into use during the erasure.
   */
  state: 'found' | 'needed' | 'partly_erased' | 'erased';
  accounts: AccountErasure[];
}

/** Rows per transaction. A batch takes well under a second, and other payers do not wait for it. */
const rowsAtOnce = 200;

const termsOf = ({ clocks }: Acting, { cardReversalDays }: ErasureOrder): MoneyTerms => ({
  today: clocks.business.today(),
  cardReversalDays,
});

/** Returns rows still needed: open debts, money, mandates in force, open imports. */
async function neededOf(sql: Queryable, found: Found, terms: MoneyTerms): Promise<StillNeeded[]> {
  const { accountId, person, mandates, requests } = found;
  const needed = [];
  for (const part of partsOf(mandates, rowsAtOnce)) {
    needed.push(...(await holdPersonalMandates(sql, accountId, part)).needed);
  }
  for (const part of partsOf(requests.ids, rowsAtOnce)) {
    needed.push(...(await readRequests(sql, accountId, part, { ...terms, lock: false })).needed);
  }
  return [...needed, ...(await importsNeeded(sql, accountId, person, madeOf(found)))];
}

/**
 * Erases rows that have no events: imported rows, stored responses, emails to the person. Returns
 * the open imports with the person's rows, which keep them.
 */
async function eraseCopies({ sql }: Acting, found: Found): Promise<StillNeeded[]> {
  const { accountId, person, mandates, requests, texts } = found;
  const open = await eraseImportRows(sql, accountId, person, madeOf(found));
  const refundIds = await refundsOf(sql, accountId, requests.ids);
  const ids = [...requests.ids, ...mandates.map(({ id }) => id)].map(String);
  const named = { ids: [...ids, ...requests.codes], texts, refundIds: refundIds.map(String) };
  await eraseAnswers(sql, accountId, named);
  const { emails } = person;
  await eraseMails(sql, { accountId, ids: [], links: [], emails }, keepMailOutcomes(sql));
  await eraseMailStops(sql, accountId, [], emails);
  return open;
}

interface Batches<Row, Held> {
  rows: readonly Row[];
  hold(tx: Transaction, some: readonly Row[]): Promise<{ held: Held[]; needed: StillNeeded[] }>;
  erase(tx: Transaction, held: Held[]): Promise<void>;
}

/**
 * Erases rows, each batch in a transaction. Stops before a batch with a row that is needed by now.
 * Skips rows that another process erased meanwhile.
 */
async function inBatches<Row, Held>(
  { sql }: Acting,
  { rows, hold, erase }: Batches<Row, Held>,
): Promise<{ count: number; needed: StillNeeded[] }> {
  let count = 0;
  for (const some of partsOf(rows, rowsAtOnce)) {
    const { held, needed } = await sql.begin(async (tx) => {
      const batch = await hold(tx, some);
      if (batch.needed.length === 0 && batch.held.length > 0) await erase(tx, batch.held);
      return batch;
    });
    if (needed.length > 0) return { count, needed };
    count += held.length;
  }
  return { count, needed: [] };
}

/**
 * Erases a person in one account. Mandates come last, and the proven ones last of all, because they
 * connect the person to the other rows: after an interruption, another call finds what is left.
 */
async function eraseIn(acting: Acting, order: ErasureOrder, found: Found): Promise<AccountErasure> {
  const { accountId } = found;
  const terms = termsOf(acting, order);
  const at = acting.clocks.business.now();
  const erasing: Erasing = { accountId, at, actor: actorText(acting.actor), reason: order.reason };
  const imports = await eraseCopies(acting, found);
  if (imports.length > 0) return { accountId, mandates: 0, requests: 0, needed: imports };
  const sealed = await readSealedOf(acting.sql, accountId, {
    mandates: found.mandates,
    requests: partsOf(found.requests.ids, rowsAtOnce),
  });
  const requests = await inBatches(acting, {
    rows: found.requests.ids,
    hold: (tx, some) => readRequests(tx, accountId, some, { ...terms, lock: true }),
    erase: (tx, held) => eraseHeldRequests(tx, acting, erasing, held, sealed),
  });
  const { count, needed } = requests;
  if (needed.length > 0) return { accountId, mandates: 0, requests: count, needed };
  const mandates = await inBatches(acting, {
    rows: found.mandates.toSorted((a, b) => Number(a.is_proven) - Number(b.is_proven)),
    hold: (tx, some) => holdPersonalMandates(tx, accountId, some),
    erase: (tx, held) => eraseHeldMandates(tx, acting, erasing, held, sealed),
  });
  return { accountId, mandates: mandates.count, requests: count, needed: mandates.needed };
}

/**
 * Erases a person: names, addresses, texts, evidence and stored responses. Amounts, days and ids
 * stay. Looks at all accounts first, and erases nothing if one of them still needs a row. Erases in
 * batches, so an interrupted erasure must be called again.
 */
export async function erasePerson(acting: Acting, order: ErasureOrder): Promise<Erasure> {
  const { sql } = acting;
  const theirs: Found[] = [];
  const seen: AccountErasure[] = [];
  for (const accountId of order.accountIds) {
    const found = await findPerson(sql, accountId, order);
    if (await isEmpty(sql, found)) continue;
    theirs.push(found);
    const counts = { mandates: found.mandates.length, requests: found.requests.ids.length };
    seen.push({ accountId, ...counts, needed: await neededOf(sql, found, termsOf(acting, order)) });
  }
  if (seen.some(({ needed }) => needed.length > 0)) return { state: 'needed', accounts: seen };
  if (order.dryRun) return { state: 'found', accounts: seen };
  const accounts: AccountErasure[] = [];
  for (const found of theirs) accounts.push(await eraseIn(acting, order, found));
  await eraseLetters(sql, [...order.emails.map(emailPattern), numberPattern(order)]);
  const isPartial = accounts.some(({ needed }) => needed.length > 0);
  return { state: isPartial ? 'partly_erased' : 'erased', accounts };
}
