import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batcher } from '../../src/platform/batcher.ts';
import { DatabaseAway } from '../../src/platform/errors.ts';

const roomy = { maxBatch: 100, maxQueue: 1000, parallel: 1 };

/** Creates a run that blocks until released, and records its items. */
function gated() {
  const runs: number[][] = [];
  const gates: (() => void)[] = [];
  return {
    runs,
    open: () => gates.shift()?.(),
    run: async (items: number[]): Promise<number[]> => {
      runs.push(items);
      const { promise, resolve } = Promise.withResolvers<void>();
      gates.push(resolve);
      await promise;
      return items.map((item) => item * 10);
    },
  };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test('runs a call at once when idle, and batches queued calls in order', async () => {
  const gate = gated();
  const submit = batcher(gate.run, roomy);
  const answers = [1, 2, 3, 4].map((item) => submit(item));
  await settled();
  expect(gate.runs).toEqual([[1]]);
  gate.open();
  await settled();
  expect(gate.runs).toEqual([[1], [2, 3, 4]]);
  gate.open();
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40]);
});

test('runs at most maxBatch items per batch, and at most `parallel` batches at once', async () => {
  const gate = gated();
  const submit = batcher(gate.run, { maxBatch: 2, maxQueue: 100, parallel: 2 });
  const answers = [1, 2, 3, 4, 5].map((item) => submit(item));
  await settled();
  expect(gate.runs).toEqual([[1], [2]]);
  gate.open();
  await settled();
  expect(gate.runs).toEqual([[1], [2], [3, 4]]);
  gate.open();
  await settled();
  gate.open();
  await settled();
  gate.open();
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
  expect(gate.runs).toEqual([[1], [2], [3, 4], [5]]);
});

test('gives every item its own outcome, whatever the batch size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 3 }),
      async (items, maxBatch, parallel) => {
        const run = async (batch: number[]) => batch.map((item) => `#${item}`);
        const submit = batcher(run, { maxBatch, maxQueue: 100, parallel });
        expect(await Promise.all(items.map((item) => submit(item)))).toEqual(
          items.map((item) => `#${item}`),
        );
      },
    ),
  );
});

describe('a failure', () => {
  test('retries a failed batch item by item, so that a failure affects only its own item', async () => {
    const runs: number[][] = [];
    const run = async (items: number[]) => {
      runs.push(items);
      if (items.includes(3)) throw new Error('three is bad');
      return items;
    };
    const submit = batcher(run, roomy);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => submit(item)));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: new Error('three is bad') },
      { status: 'fulfilled', value: 4 },
    ]);
    expect(runs).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  });

  test('does not retry a failed single item', async () => {
    let runs = 0;
    const submit = batcher(async (): Promise<number[]> => {
      runs += 1;
      throw new Error('bad');
    }, roomy);
    await expect(submit(1)).rejects.toThrow('bad');
    expect(runs).toBe(1);
  });

  const sqlState = (code: string) => Object.assign(new Error('lost'), { code });
  const away = (code: string) => new DatabaseAway(code, 'lost', 'unknown');
  test.each([
    away('CONNECTION_CLOSED'),
    away('STATEMENT_TIMEOUT'),
    sqlState('57P01'),
    sqlState('08006'),
    sqlState('53300'),
  ])(
    'does not retry after a connection failure ($code), whose outcome is unknown',
    async (lost) => {
      const runs: number[][] = [];
      const run = async (items: number[]): Promise<number[]> => {
        runs.push(items);
        if (items.length > 1) throw lost;
        return items;
      };
      const submit = batcher(run, roomy);
      const outcomes = await Promise.allSettled([1, 2, 3].map((item) => submit(item)));
      expect(outcomes).toEqual([
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: lost },
        { status: 'rejected', reason: lost },
      ]);
      expect(runs).toEqual([[1], [2, 3]]);
      expect(await submit(4)).toBe(4);
    },
  );

  test('passes a synchronous throw to the callers, and continues with the next batch', async () => {
    const run = (items: number[]): Promise<number[]> => {
      if (items[0] === 1) throw new Error('at once');
      return Promise.resolve(items);
    };
    const submit = batcher(run, roomy);
    await expect(submit(1)).rejects.toThrow('at once');
    expect(await submit(2)).toBe(2);
  });

  test('fails all items of a batch that returns too few outcomes, instead of mixing them up', async () => {
    const submit = batcher(async (items: number[]) => items.slice(1), roomy);
    const outcomes = await Promise.allSettled([1, 2, 3].map((item) => submit(item)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(3).fill('rejected'));
  });
});

test('refuses calls beyond maxQueue as unavailable, until there is room', async () => {
  const gate = gated();
  const submit = batcher(gate.run, { maxBatch: 10, maxQueue: 3, parallel: 1 });
  const answers = [1, 2, 3, 4].map((item) => submit(item));
  await expect(submit(5)).rejects.toMatchObject({ kind: 'unavailable', status: 503 });
  gate.open();
  await settled();
  const later = submit(6);
  gate.open();
  await settled();
  gate.open();
  expect(await Promise.all([...answers, later])).toEqual([10, 20, 30, 40, 60]);
  expect(gate.runs).toEqual([[1], [2, 3, 4], [6]]);
});
