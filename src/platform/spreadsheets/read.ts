import { Worker } from 'node:worker_threads';
import { Refusal } from '../errors.ts';
import type { Table, TableLimits } from './table.ts';
import type { ReadAnswer, ReadOrder } from './worker.ts';

/** No spreadsheet of legal size takes longer, also on a slow machine; one made to does. */
const longestMs = 60_000;
/** Many times what the largest one takes. */
const mostMemoryMb = 1_024;
/** Threads that read at a time: each takes a processor. */
const mostAtOnce = 2;

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = new URL(`./worker.${extension}`, import.meta.url);

const unread = (): Refusal =>
  new Refusal(
    'unprocessable',
    'The spreadsheet takes more time or memory than is allowed: save it again with the rows that are to be imported alone.',
  );

let running = 0;

/** Whether the thread ran out of what it was given. */
const isExhausted = (error: Error): boolean =>
  'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

function readInThread(order: ReadOrder): Promise<ReadAnswer> {
  const worker = new Worker(program, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    stderr: true,
  });
  return new Promise<ReadAnswer>((resolve, reject) => {
    const timer = setTimeout(() => reject(unread()), longestMs);
    const settle = (end: () => void) => () => {
      clearTimeout(timer);
      end();
    };
    worker.once('message', (answer: ReadAnswer) => settle(() => resolve(answer))());
    worker.once('error', (error: Error) =>
      settle(() => reject(isExhausted(error) ? unread() : error))(),
    );
    worker.once(
      'exit',
      settle(() => reject(unread())),
    );
  }).finally(() => worker.terminate());
}

/**
 * Reads a spreadsheet (CSV, XLSX) in a thread of its own, so that nobody waits for it. Throws a
 * Refusal for what is none, is too large, or takes too much to read.
 */
export async function readSpreadsheet(bytes: Uint8Array, limits: TableLimits): Promise<Table> {
  if (running >= mostAtOnce) {
    throw new Refusal('unavailable', 'Other spreadsheets are being read now. Please try again.');
  }
  running += 1;
  try {
    const answer = await readInThread({ bytes, limits });
    if ('table' in answer) return answer.table;
    throw new Refusal(answer.refusal.kind, answer.refusal.message);
  } finally {
    running -= 1;
  }
}
