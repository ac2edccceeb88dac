import { isoDateTime } from '../../kernel/dates.ts';
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

/** Removes the parameters of texts from stored rows. Rows without any stay unchanged. */
const answeredRows = (rows: string): string =>
  rows.includes('"parameters":')
    ? JSON.stringify(JSON.parse(rows), (name, value) => (name === 'parameters' ? undefined : value))
    : rows;

/** Presents a result as JSON text, because rows are stored nearly as the response shows them. */
export function presentResult({ batch, page, pages, rows }: BatchResult): string {
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
  return `${JSON.stringify(head).slice(0, -1)},"data":${answeredRows(rows ?? '[]')}}`;
}
