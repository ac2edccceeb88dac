import type { Account } from '../../../accounts/index.ts';
import { appendEvents } from '../../../events/index.ts';
import type { Base } from '../../../platform/base.ts';
import type { Links } from '../../../platform/links.ts';
import type { Queryable } from '../../../platform/postgres/connect.ts';
import { insertFreeQrs } from '../../dynamic/index.ts';
import { qrImageUrls } from '../../images/image.ts';
import { dynamicPayload, type QrTerms, refuseUnlessOffered } from '../../payload/payload.ts';
import type { QrRow } from '../../row.ts';
import { type Outcome, rejectTaken, rowsOf, validate } from './import.ts';

/** What became of a row of an operator's file. */
export interface ImportedRow extends Outcome {
  /** Of one that was created. */
  qrString?: string;
  imageUrl?: string;
}

export type ImportRows = (
  account: Account,
  /** Items as they were read; the first one is the `from`-th of the file. */
  rows: { items: unknown[]; from: number },
) => Promise<ImportedRow[]>;

const savedBy = 'operator';

/** One event tells of all that were created together. */
const writeEvent = (
  sql: Queryable,
  rows: QrRow[],
  eventId: number,
  accountId: string,
  base: Base,
) =>
  appendEvents(sql, [
    {
      accountId,
      entity: 'qr_batch',
      entityId: String(eventId),
      version: 1,
      id: eventId,
      type: 'qr_batch.saved',
      at: base.clocks.business.now(),
      actor: savedBy,
      data: { count: rows.length, request_ids: rows.map(({ id }) => id) },
    },
  ]);

/** Creates what can be created of some rows, in one transaction; the others are rejected one by one. */
export function importRows(
  base: Base,
  { links, terms }: { links: Links; terms: QrTerms },
): ImportRows {
  const { sql, clocks, recordIds } = base;
  return async (account, { items, from }) => {
    refuseUnlessOffered(terms);
    const accountId = account.id;
    const today = clocks.business.today();
    const validated = await validate(items, from, { accountId, today });
    const rows = await rowsOf(base, accountId, validated);
    const eventId = await recordIds.next();
    const taken = await sql.begin(async (tx) => {
      if (rows.length === 0) return new Set<string>();
      const takenIds = await insertFreeQrs(tx, rows);
      const created = rows.filter(({ code }) => !takenIds.has(code));
      if (created.length > 0) await writeEvent(tx, created, eventId, accountId, base);
      return takenIds;
    });
    const byId = new Map(rows.map((row) => [row.code, row]));
    return rejectTaken(validated.outcomes, taken).map((outcome): ImportedRow => {
      const row = outcome.status === 'created' && outcome.id ? byId.get(outcome.id) : undefined;
      if (!row) return outcome;
      const { image_url: imageUrl } = qrImageUrls(links, { accountId, id: row.id });
      const qrString = dynamicPayload(terms, account, row);
      return { ...outcome, ...(qrString !== null && { qrString, imageUrl }) };
    });
  };
}
