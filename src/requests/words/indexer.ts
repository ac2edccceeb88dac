import { setTimeout as sleep } from 'node:timers/promises';
import { partsOf } from '../../kernel/lists.ts';
import type { Clock } from '../../platform/clocks.ts';
import { eachAccount } from '../../platform/each-account.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { accountsAtOnce } from '../../platform/postgres/distributed/engine.ts';
import { accountsWithoutWords, moveMarks, nextSeals, writeWords } from './store.ts';

/** Requests per statement. */
const atOnce = 500;
/** Accounts whose next seals are read together. */
const takenAtOnce = 100;
/** Pauses this many times as long as each part took, because creating requests has priority. */
const restsFor = 9;

export interface WordIndexer {
  /** Records that an account has new seals. */
  note(accountId: string): void;
  /** Records every account with unindexed seals, sealed by any process. */
  noteAll(): Promise<void>;
  /** Indexes the words of recorded accounts, a part at a time. */
  work(signal: AbortSignal): Promise<void>;
}

/** The stop signal and the pause between parts. */
interface Pace {
  signal: AbortSignal;
  rest(): Promise<void>;
}

/** Indexes the next seals of some accounts. Returns the accounts that may have more. */
async function indexSome(
  sql: Sql,
  accountIds: readonly string[],
  { signal, rest }: Pace,
): Promise<string[]> {
  const seals = await nextSeals(sql, accountIds, atOnce);
  const read = seals.filter(({ ids }) => ids !== null);
  const requests = read.flatMap(
    ({ account_id: accountId, ids }) => ids?.map((id) => ({ accountId, id })) ?? [],
  );
  for (const part of partsOf(requests, atOnce)) {
    await writeWords(sql, part);
    await rest();
    if (signal.aborted) return [];
  }
  await moveMarks(sql, read);
  return seals.map((seal) => seal.account_id);
}

/** Indexes an account's sealed requests. Resumes after a restart. */
export async function indexWords(
  sql: Sql,
  accountId: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const pace = { signal, rest: async () => {} };
  while ((await indexSome(sql, [accountId], pace)).length > 0);
}

/**
 * Creates the indexer. Accounts take turns, one seal each, so that a backlog does not delay others.
 */
export function createWordIndexer(sql: Sql, wall: Clock): WordIndexer {
  const noted = new Set<string>();

  function takeNoted(): string[] {
    const taken = [...noted.values().take(accountsAtOnce(sql, takenAtOnce))];
    for (const accountId of taken) noted.delete(accountId);
    return taken;
  }
  function paceOf(signal: AbortSignal): Pace {
    let begun = wall.now();
    return {
      signal,
      async rest() {
        const took = wall.now().since(begun).total('milliseconds');
        await sleep(took * restsFor, undefined, { signal }).catch(() => {});
        begun = wall.now();
      },
    };
  }
  const indexNoted = async (accountIds: readonly string[], signal: AbortSignal): Promise<void> => {
    const more = await indexSome(sql, accountIds, paceOf(signal));
    for (const accountId of more) noted.add(accountId);
  };

  return {
    note: (accountId) => void noted.add(accountId),
    async noteAll() {
      for (const accountId of await accountsWithoutWords(sql)) noted.add(accountId);
    },
    async work(signal) {
      while (noted.size > 0 && !signal.aborted) {
        const some = takeNoted();
        // If one account fails, index each alone.
        await indexNoted(some, signal).catch(() =>
          eachAccount(
            some,
            { atOnce: 1, failed: 'Words of some accounts could not be written.' },
            (accountId) => indexNoted([accountId], signal),
          ),
        );
      }
    },
  };
}
