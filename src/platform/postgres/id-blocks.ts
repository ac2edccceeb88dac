import { itemAt } from '../../kernel/lists.ts';
import type { Sql } from './connect.ts';
import { settleTimeline, timelineOf } from './timeline.ts';

/** Ids from a sequence, drawn in blocks of a thousand. */
export interface IdBlocks {
  /** Takes new ids, ascending. Unused ones are lost, which is fine. */
  take(count: number): Promise<number[]>;
  next(): Promise<number>;
}

const blockSize = 1000;

interface Taker {
  count: number;
  resolve: (ids: number[]) => void;
  reject: (error: unknown) => void;
}

type IdSequence = 'request_ids' | 'record_ids' | 'adhesion_ids' | 'card_adhesion_ids';

/**
 * Hands out ids of a sequence that increments by 1000. Each nextval starts a block for this
 * process. Concurrent callers share one refill. After a failover, blocks in memory stay unique,
 * because new ones come from far ahead.
 */
export function idBlocks(sql: Sql, sequence: IdSequence): IdBlocks {
  const blocks: { next: number; end: number }[] = [];
  const takers: Taker[] = [];
  let available = 0;
  let refilling = false;
  /** Timeline whose draws are unique. Null before the first draw, and after a promotion. */
  let settled: number | null = null;

  /** Rejects any other step: with a smaller one, two processes would get the same ids. */
  const verifyStep = async (): Promise<void> => {
    const [row] = await sql<{ step: number }[]>`
      select seqincrement as step from pg_sequence where seqrelid = ${sequence}::text::regclass`;
    if (row?.step !== blockSize) {
      throw new Error(`The sequence ${sequence} must increment by ${blockSize}.`);
    }
  };

  const draw = (count: number): number[] => {
    const ids: number[] = [];
    while (ids.length < count) {
      const block = blocks[0];
      if (block === undefined) throw new Error('an id block is missing');
      while (ids.length < count && block.next < block.end) ids.push(block.next++);
      if (block.next === block.end) blocks.shift();
    }
    available -= count;
    return ids;
  };

  const refill = async (missing: number): Promise<void> => {
    for (;;) {
      if (settled === null) {
        await verifyStep();
        settled = await settleTimeline(sql);
      }
      const rows = await sql<{ first: number; timeline: number }[]>`
        select nextval(${sequence}::text::regclass) as first,
          ${sql.unsafe(timelineOf)} as timeline
        from generate_series(1, ${Math.ceil(missing / blockSize)}::int)`;
      if (rows.every(({ timeline }) => timeline === settled)) {
        for (const { first } of rows) blocks.push({ next: first, end: first + blockSize });
        available += rows.length * blockSize;
        return;
      }
      // Another server was promoted since. These blocks may have been drawn before.
      settled = null;
    }
  };

  const serve = (): void => {
    for (let head = takers[0]; head !== undefined && head.count <= available; head = takers[0]) {
      takers.shift();
      head.resolve(draw(head.count));
    }
    if (takers.length === 0 || refilling) return;
    refilling = true;
    const missing = takers.reduce((sum, taker) => sum + taker.count, 0) - available;
    refill(missing)
      .catch((error: unknown) => {
        for (const taker of takers.splice(0)) taker.reject(error);
      })
      .finally(() => {
        refilling = false;
        serve();
      });
  };

  const take = (count: number): Promise<number[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    takers.push({ count, resolve, reject });
    serve();
    return promise;
  };
  return { take, next: async () => itemAt(await take(1), 0) };
}
