import type { Account } from '../../../accounts/index.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { Links } from '../../../platform/links.ts';
import { qrImageUrls } from '../../images/urls.ts';
import { dynamicPayload, type QrTerms, refuseUnlessOffered } from '../../payload/payload.ts';
import { type Outcome, prepareItems } from './import.ts';

/** The outcome of a row in an operator's file. */
export interface ImportedRow extends Outcome {
  /** The text of a created QR. */
  qrString?: string;
  imageUrl?: string;
}

export type ImportRows = (
  account: Account,
  /** The file's items from index `from` on, in order, and the actor. */
  rows: { items: unknown[]; from: number; actor: Actor },
) => Promise<ImportedRow[]>;

/** Creates the valid rows in one transaction. Rejects the others individually. */
export function importRows(
  base: Base,
  { links, terms }: { links: Links; terms: QrTerms },
): ImportRows {
  const prepare = prepareItems(base);
  return async (account, { items, from, actor }) => {
    refuseUnlessOffered(terms);
    const accountId = account.id;
    const create = await prepare({ accountId, actor }, { items, from });
    const made = await base.sql.begin(create);
    return made.map(({ row, ...outcome }): ImportedRow => {
      const qrString = row && dynamicPayload(terms, account, row);
      if (row === null || qrString === null) return outcome;
      const { image_url: imageUrl } = qrImageUrls(links, { accountId, id: row.id });
      return { ...outcome, qrString, imageUrl };
    });
  };
}
