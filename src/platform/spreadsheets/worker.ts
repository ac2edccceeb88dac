import { parentPort, workerData } from 'node:worker_threads';
import type { StoredCodeText } from '../../language/localized-text.ts';
import { Refusal, type RefusalKind } from '../errors.ts';
import type { TableLimits } from './limits.ts';
import { type Reading, readTable, type Table } from './table.ts';

export interface ReadOrder {
  bytes: Uint8Array;
  limits: TableLimits;
  reading: Reading;
}

/** The thread's result. Pages move as bytes without copying. */
export type ReadAnswer =
  | { table: Omit<Table, 'pages'>; pages: ArrayBuffer[] }
  | { refusal: { kind: RefusalKind; message: string; storedCode: StoredCodeText | undefined } };

const answer = (message: ReadAnswer, moved: ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved);

const { bytes, limits, reading } = workerData as ReadOrder;
try {
  const { pages: texts, ...table } = await readTable(bytes, limits, reading);
  const encoder = new TextEncoder();
  const pages = texts.map((text) => encoder.encode(text).buffer);
  answer({ table, pages }, pages);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  const { kind, message, localized } = error;
  answer({ refusal: { kind, message, storedCode: localized?.kept() } });
}
