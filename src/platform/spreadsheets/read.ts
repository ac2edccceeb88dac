import { setImmediate as othersTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../errors.ts';
import { readStoredCode } from '../refusals.ts';
import { createFairSlots } from '../slots.ts';
import { refusal } from './codes.ts';
import type { TableLimits } from './limits.ts';
import type { Reading, Table } from './table.ts';
import type { ReadAnswer, ReadOrder } from './worker.ts';

/** Valid spreadsheets are faster, even on a slow machine. */
const longestMs = 60_000;
/** Many times the need of the largest spreadsheet. */
const mostMemoryMb = 1_024;
/** Includes memory outside JavaScript's heap, which only the process can measure. */
const mostGrowth = 1.5 * 1024 ** 3;
const lookEveryMs = 50;

/** Bounds concurrent reading threads, each of which occupies a processor. */
const slots = createFairSlots({
  most: 2,
  each: 1,
  queued: 20,
  patienceMs: 20_000,
  refusal: () => refusal('spreadsheet.busy', {}),
});

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = new URL(`./worker.${extension}`, import.meta.url);

const unread = (): Refusal => refusal('spreadsheet.too_heavy', {});

const isExhausted = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Calls back once the process has grown by more than a spreadsheet may need. */
function watchMemory(exceeded: () => void): NodeJS.Timeout {
  const before = process.memoryUsage.rss();
  const look = (): void => {
    if (process.memoryUsage.rss() - before > mostGrowth) exceeded();
  };
  return setInterval(look, lookEveryMs);
}

function readInThread(order: ReadOrder): Promise<ReadAnswer> {
  const worker = new Worker(program, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadAnswer>();
  const giveUp = (): void => reject(unread());
  const timer = setTimeout(giveUp, longestMs);
  const watch = watchMemory(giveUp);
  worker.once('message', resolve);
  worker.once('error', (error: Error) => reject(isExhausted(error) ? unread() : error));
  worker.once('exit', giveUp);
  return promise.finally(async () => {
    clearTimeout(timer);
    clearInterval(watch);
    await worker.terminate();
  });
}

/** Decodes pages, yielding to other work. */
async function textsOf(pages: readonly ArrayBuffer[]): Promise<string[]> {
  const texts: string[] = [];
  for (const page of pages) {
    texts.push(Buffer.from(page).toString());
    await othersTurn();
  }
  return texts;
}

/**
 * Reads a spreadsheet (CSV, XLSX) in a thread, one at a time per holder. Throws a Refusal if it is
 * not a spreadsheet, too large or too expensive to read, or if it waits too long for its turn.
 */
export const readSpreadsheet = (
  bytes: Uint8Array,
  limits: TableLimits,
  holder: string,
  reading: Reading = {},
): Promise<Table> =>
  slots.run(holder, async () => {
    const answer = await readInThread({ bytes, limits, reading });
    if ('table' in answer) return { ...answer.table, pages: await textsOf(answer.pages) };
    const { kind, message, storedCode } = answer.refusal;
    throw new Refusal(kind, (storedCode && readStoredCode(storedCode)) ?? message);
  });
