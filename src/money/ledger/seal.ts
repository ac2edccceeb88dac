import { partsOf } from '../../kernel/lists.ts';
import { eachAccount } from '../../platform/each-account.ts';
import type { Queryable, Sql, Transaction } from '../../platform/postgres/connect.ts';
import { takesSeveralAccounts } from '../../platform/postgres/distributed/engine.ts';
import {
  type Evidence,
  type Forged,
  holdChains,
  keylessSealer,
  namedRows,
  type Sealer,
} from '../../seals/index.ts';
import { type Delta, forgedIn } from './forged.ts';

type Fragment = ReturnType<Queryable>;

/** Deltas folded in one transaction; each holds the journals of one posting statement. */
const deltasPerSeal = 500;
/** Journals of one seal, give or take those of one delta. */
const journalsPerSeal = 10_000;

/** Evidence of a journal, which never changes; sealed when its delta is folded. */
export const journalEvidence: Evidence = {
  kind: 'journal',
  from: 'journals',
  key: { id: 'bigint' },
  columns: ['kind', 'result_id', 'request_id', 'at', 'on_date', 'accounts', 'amounts', 'cause'],
  touched: {
    waiting: 'select account_id, unnest(journal_ids)::text as key from balance_deltas',
  },
  settled: true,
  strict: true,
};

/** Deltas that a seal takes, the oldest first. */
const takeDeltas = (sql: Queryable, accountId: string): Fragment => sql`
  delete from balance_deltas where account_id = ${accountId} and id = any(array(
    select id from (
      select id, sum(journals) over (order by id) - journals as before
      from (
        select id, cardinality(journal_ids) as journals from balance_deltas
        where account_id = ${accountId} order by id limit ${deltasPerSeal}
      ) as waiting
    ) as counted where before < ${journalsPerSeal}))
  returning account_id, id, accounts, amounts, journal_ids`;

/** All that waits of accounts of which little waits. */
const takeAllDeltas = (sql: Queryable, accountIds: readonly string[]): Fragment => sql`
  delete from balance_deltas where account_id = any(${accountIds}::text[])
  returning account_id, id, accounts, amounts, journal_ids`;

/**
 * Folds the deltas of accounts that `take` takes into their balances and seals their journals, in
 * one transaction. Posting never waits for it. Answers how many deltas were folded.
 */
async function sealTaken(
  sql: Sql,
  accountIds: readonly string[],
  sealer: Sealer,
  take: (tx: Transaction) => Fragment,
): Promise<number> {
  let forged: Forged[] = [];
  const folded = await sql.begin(async (tx) => {
    const chains = await holdChains(tx, sealer, accountIds);
    const taken = await tx<Delta[]>`
      with taken as (${take(tx)}),
      folded as (
        insert into balances (account_id, ledger_account, amount)
        select account_id, line.account, sum(line.amount)::bigint
        from taken, unnest(accounts, amounts) as line (account, amount)
        group by account_id, line.account
        on conflict (account_id, ledger_account)
        do update set amount = balances.amount + excluded.amount
      )
      select account_id, id, accounts, amounts, journal_ids from taken`;
    if (taken.length > 0) {
      const owners = taken.flatMap(({ account_id, journal_ids }) =>
        journal_ids.map(() => account_id),
      );
      const named = tx`
        select * from unnest(${owners}::text[],
          ${taken.flatMap(({ journal_ids }) => journal_ids)}::bigint[])`;
      if (sealer.forged) forged = await forgedIn(tx, sealer.keys, taken);
      await chains.seal(journalEvidence.kind, namedRows(tx, journalEvidence, accountIds, named));
    }
    return taken.length;
  });
  if (forged.length > 0) await sealer.forged?.(forged);
  return folded;
}

/** The next seal of an account. Answers how many deltas were folded. */
export const sealAccount = (
  sql: Sql,
  accountId: string,
  sealer: Sealer = keylessSealer,
): Promise<number> => sealTaken(sql, [accountId], sealer, (tx) => takeDeltas(tx, accountId));

/** Folds the waiting deltas, seal after seal; later ones wait for the next run. */
export async function sealWaiting(
  sql: Sql,
  accountId: string,
  sealer: Sealer = keylessSealer,
): Promise<void> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*) as waiting from balance_deltas where account_id = ${accountId}`;
  let left = row?.waiting ?? 0;
  while (left > 0) {
    const folded = await sealAccount(sql, accountId, sealer);
    if (folded === 0) return;
    left -= folded;
  }
}

interface Waiting {
  account_id: string;
  deltas: number;
  journals: number;
}

/** Accounts that one turn of the sealer looks after. */
const accountsAtOnce = 1_000;

/** Accounts that have deltas to fold, and how much: of too many those that wait longest. */
const accountsToSeal = (sql: Queryable) => sql<Waiting[]>`
  select account_id, count(*)::int as deltas, sum(cardinality(journal_ids))::int as journals
  from balance_deltas group by account_id order by min(id) limit ${accountsAtOnce}`;

/** Accounts sealed in one transaction, and the most that each may have. */
const together = { accounts: 100, deltas: 20, journals: 100 } as const;

const idOf = ({ account_id: accountId }: Waiting): string => accountId;
const isLittle = ({ deltas, journals }: Waiting): boolean =>
  deltas <= together.deltas && journals <= together.journals;

/**
 * Seals accounts with few deltas, many in one transaction if the engine can. Returns the sealed
 * ones: after a failure, the others are sealed one by one.
 */
async function sealTogether(
  sql: Sql,
  waiting: readonly Waiting[],
  sealer: Sealer,
): Promise<Set<string>> {
  const little = takesSeveralAccounts(sql) ? waiting.filter(isLittle) : [];
  const sealed = new Set<string>();
  for (const some of partsOf(little.map(idOf), together.accounts)) {
    const seal = sealTaken(sql, some, sealer, (tx) => takeAllDeltas(tx, some));
    // A failure is reported when each is sealed by itself.
    const isSealed = await seal.then(
      () => true,
      () => false,
    );
    if (isSealed) for (const accountId of some) sealed.add(accountId);
  }
  return sealed;
}

/**
 * Seals every account's deltas, then updates the sums of accounts that had many. A failing account
 * does not delay the others.
 */
export async function sealAll(
  sql: Sql,
  sealer: Sealer,
  follow?: (accountId: string) => Promise<void>,
): Promise<void> {
  const waiting = await accountsToSeal(sql);
  const sealed = await sealTogether(sql, waiting, sealer);
  const left = waiting.map(idOf).filter((accountId) => !sealed.has(accountId));
  const much = new Set(waiting.filter((one) => !isLittle(one)).map(idOf));
  await eachAccount(
    left,
    { atOnce: 1, failed: 'Some accounts could not be sealed.' },
    async (accountId) => {
      await sealWaiting(sql, accountId, sealer);
      if (much.has(accountId)) await follow?.(accountId);
    },
  );
}
