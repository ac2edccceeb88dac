import { parentPort, workerData } from 'node:worker_threads';
import { Refusal, type RefusalKind } from '../errors.ts';
import { readTable, type Table, type TableLimits } from './table.ts';

/** What the thread is given. */
export interface ReadOrder {
  bytes: Uint8Array;
  limits: TableLimits;
}

/** What it answers. */
export type ReadAnswer = { table: Table } | { refusal: { kind: RefusalKind; message: string } };

const answer = (message: ReadAnswer): void => parentPort?.postMessage(message);

const { bytes, limits } = workerData as ReadOrder;
try {
  answer({ table: await readTable(bytes, limits) });
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  answer({ refusal: { kind: error.kind, message: error.message } });
}
