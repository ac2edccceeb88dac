import type { Account } from '../../../accounts/index.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { Links } from '../../../platform/links.ts';
import { qrImageUrls } from '../../images/urls.ts';
import { dynamicPayload, type QrTerms, refuseUnlessOffered } from '../../payload/payload.ts';
import { insertRows, type Outcome, rejectTaken, rowsOf, validate } from './import.ts';

/** The outcome of a row in an operator's file. */
export interface ImportedRow extends Outcome {
  /** The text of a created QR. */
  qrString?: string;
  imageUrl?: string;
}

export type ImportRows = (
  account: Account,
  /** Items in order from index `from` of the file, and the actor. */
  rows: { items: unknown[]; from: number; actor: Actor },
) => Promise<ImportedRow[]>;

/** Creates the valid rows in one transaction. Rejects the others individually. */
export function importRows(
  base: Base,
  { links, terms }: { links: Links; terms: QrTerms },
): ImportRows {
  const { sql, clocks, recordIds } = base;
  return async (account, { items, from, actor }) => {
    refuseUnlessOffered(terms);
    const accountId = account.id;
    const today = clocks.business.today();
    const validated = await validate(items, from, { accountId, today });
    const rows = await rowsOf(base, accountId, validated);
    const eventId = await recordIds.next();
    const taken = await sql.begin((tx) =>
      insertRows(tx, rows, { accountId, eventId, at: clocks.business.now(), actor }),
    );
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
