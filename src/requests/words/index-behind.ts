import { setTimeout as sleep } from 'node:timers/promises';
import { partsOf } from '../../kernel/lists.ts';
import type { Clock } from '../../platform/clocks.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { accountsWithoutWords, moveMark, nextSeal, writeWords } from './store.ts';

/** Requests whose words are written by one statement. */
const atOnce = 500;
/** After each part so many times as long nothing is done: creating goes first. */
const restsFor = 9;

export interface WordIndexer {
  /** Tells that something of an account was sealed. */
  note(accountId: string): void;
  /** Takes every account up that is behind, whoever sealed it. */
  noteAll(): Promise<void>;
  /** Writes the words of what was noted, a part at a time. */
  work(signal: AbortSignal): Promise<void>;
}

/** Writes the words of an account's sealed requests; begun anew it goes on where it stands. */
export async function indexWords(
  sql: Sql,
  accountId: string,
  afterPart: () => Promise<boolean> = async () => true,
): Promise<void> {
  for (;;) {
    const seal = await nextSeal(sql, accountId);
    if (!seal) return;
    for (const ids of partsOf(seal.ids, atOnce)) {
      await writeWords(sql, accountId, ids);
      if (!(await afterPart())) return;
    }
    await moveMark(sql, accountId, seal.no);
  }
}

export function createWordIndexer(sql: Sql, wall: Clock): WordIndexer {
  const noted = new Set<string>();
  return {
    note: (accountId) => void noted.add(accountId),
    async noteAll() {
      for (const accountId of await accountsWithoutWords(sql)) noted.add(accountId);
    },
    async work(signal) {
      for (const accountId of noted) {
        let begun = wall.now();
        noted.delete(accountId);
        await indexWords(sql, accountId, async () => {
          const took = wall.now().since(begun).total('milliseconds');
          await sleep(took * restsFor, undefined, { signal }).catch(() => {});
          begun = wall.now();
          return !signal.aborted;
        });
      }
    },
  };
}
