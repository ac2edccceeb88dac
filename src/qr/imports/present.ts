import { setImmediate as othersTurn } from 'node:timers/promises';
import { isoDateTime } from '../../kernel/dates.ts';
import { partsOf } from '../../kernel/lists.ts';
import { readStoredText } from '../../platform/refusals.ts';
import { successCodes } from '../errors/codes.ts';
import type { Batch } from './batch.ts';
import type { OpenedBatch } from './open.ts';
import type { BatchResult } from './result.ts';
import type { BatchResultAnswer, OpenedAnswer } from './schema.ts';

export const presentOpened = (opened: OpenedBatch): OpenedAnswer => ({
  code: successCodes.uploadOpened.code,
  message: 'Ok',
  id: opened.id,
  url: opened.url,
  expires_at: isoDateTime(opened.expiresAt),
  webhook_secret: opened.webhookSecret,
});

const presentState = ({ state }: Batch): BatchResultAnswer['state'] =>
  state === 'uploading' ? 'waiting_upload' : state;

/** Rows converted per turn of the event loop. */
const rowsAtOnce = 100;

const withoutParameters = (name: string, value: unknown): unknown =>
  name === 'parameters' ? undefined : value;

/** Removes the parameters of texts from stored rows. Rows without any stay unchanged. */
async function answeredRows(rows: string): Promise<string> {
  if (!rows.includes('"parameters":')) return rows;
  const texts: string[] = [];
  for (const some of partsOf(JSON.parse(rows) as unknown[], rowsAtOnce)) {
    await othersTurn();
    texts.push(JSON.stringify(some, withoutParameters).slice(1, -1));
  }
  return `[${texts.join(',')}]`;
}

/** Presents a result as JSON text, because rows are stored nearly as the response shows them. */
export async function presentResult({ batch, page, pages, rows }: BatchResult): Promise<string> {
  const head: Omit<BatchResultAnswer, 'data'> = {
    id: String(batch.id),
    state: presentState(batch),
    ...(batch.error !== null && { error: String(readStoredText(batch.error)) }),
    ...(batch.total_count !== null && { total_count: batch.total_count }),
    processed: batch.next_index,
    created: batch.created,
    rejected: batch.rejected,
    page,
    pages,
  };
  return `${JSON.stringify(head).slice(0, -1)},"data":${await answeredRows(rows ?? '[]')}}`;
}
