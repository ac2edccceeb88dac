import { partsOf } from '../../kernel/lists.ts';
import { eachAccount } from '../../platform/each-account.ts';
import type { Queryable, Sql, Transaction } from '../../platform/postgres/connect.ts';
import { takesSeveralAccounts } from '../../platform/postgres/distributed/engine.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import {
  type Evidence,
  holdChains,
  keylessSealer,
  namedRows,
  type Sealer,
} from '../../seals/index.ts';
import { type Delta, forgedIn } from './forged.ts';

type Fragment = ReturnType<Queryable>;

/** Deltas per transaction. Each contains an account's journals from one posting statement. */
const deltasPerSeal = 500;
/** Approximate maximum number of journals per transaction. */
const journalsPerSeal = 10_000;

/** A journal never changes. It is sealed when its delta is folded. */
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

/** Deletes and returns an account's oldest deltas, up to both limits. */
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

/** Deletes and returns all deltas of these accounts, which have few. */
const takeAllDeltas = (sql: Queryable, accountIds: readonly string[]): Fragment => sql`
  delete from balance_deltas where account_id = any(${accountIds}::text[])
  returning account_id, id, accounts, amounts, journal_ids`;

/**
 * Folds taken deltas into balances and seals their journals in one transaction. Posting never waits
 * for it. Returns the number of folded deltas.
 */
async function sealTaken(
  sql: Sql,
  accountIds: readonly string[],
  sealer: Sealer,
  take: (tx: Transaction) => Fragment,
): Promise<number> {
  return await sql.begin(async (tx) => {
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
      const keys = taken.flatMap(({ account_id, journal_ids }) =>
        journal_ids.map((id) => ({ account_id, id })),
      );
      const named = tx`select * from ${recordset(tx, 'key (account_id text, id bigint)', keys)}`;
      const forged = sealer.forged ? await forgedIn(tx, sealer.keys, taken) : [];
      if (forged.length > 0) await sealer.forged?.(tx, forged);
      await chains.seal(journalEvidence.kind, namedRows(tx, journalEvidence, accountIds, named));
    }
    return taken.length;
  });
}

/** Makes an account's next seal. Returns the number of folded deltas. */
export const sealAccount = (
  sql: Sql,
  accountId: string,
  sealer: Sealer = keylessSealer,
): Promise<number> => sealTaken(sql, [accountId], sealer, (tx) => takeDeltas(tx, accountId));

/** Folds an account's pending deltas, seal after seal. Those that arrive meanwhile may be left. */
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

/** Maximum number of accounts per run of the sealer. */
const accountsAtOnce = 1_000;

/** Counts the pending deltas and their journals by account, longest waiting first. */
const accountsToSeal = (sql: Queryable) => sql<Waiting[]>`
  select account_id, count(*)::int as deltas, sum(cardinality(journal_ids))::int as journals
  from balance_deltas group by account_id order by min(id) limit ${accountsAtOnce}`;

/** Bounds of a shared transaction: accounts, and the deltas and journals of each account. */
const together = { accounts: 100, deltas: 20, journals: 100 } as const;

const idOf = ({ account_id: accountId }: Waiting): string => accountId;
const isLittle = ({ deltas, journals }: Waiting): boolean =>
  deltas <= together.deltas && journals <= together.journals;

/**
 * Seals accounts with few deltas, many per transaction if the engine can. Returns the sealed ones.
 * Omits groups that fail, whose accounts the caller seals one by one.
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
    // The failure is reported when each account is sealed by itself.
    const isSealed = await seal.then(
      () => true,
      () => false,
    );
    if (isSealed) for (const accountId of some) sealed.add(accountId);
  }
  return sealed;
}

/**
 * Seals the deltas of the accounts that have waited longest, up to 1,000, and calls `follow` for
 * those that had many. A failing account does not delay the others.
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
