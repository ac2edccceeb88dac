import type { FindMandate, MandateRow } from '../mandates/index.ts';
import { type FindRequest, type ResultRow, readRetentions } from '../money/collections/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import type { Refusal } from '../platform/errors.ts';
import type { RequestKey } from '../requests/index.ts';
import { refusal } from './codes.ts';
import { type DebitKind, type DebitRow, isDebit, mandateOf } from './debit.ts';
import type { Detailed } from './present.ts';

export interface FoundDebit {
  row: DebitRow;
  mandate: MandateRow;
  results: ResultRow[];
}

export type FindDebit = (key: RequestKey, kind: DebitKind) => Promise<FoundDebit | null>;

/** Finds a debit of this kind by id, with its results and mandate. */
export const findDebits =
  (find: FindRequest, findMandate: FindMandate): FindDebit =>
  async (key, kind) => {
    const found = await find(key);
    if (!found || !isDebit(found.row, kind)) return null;
    const { row } = found;
    return { row, mandate: await mandateOf(row, findMandate), results: found.results };
  };

export const notThere = (kind: DebitKind): Refusal =>
  kind === 'debit_request'
    ? refusal('debit_request.not_found', {})
    : refusal('card_debit_request.not_found', {});

/** Reads a debit of the account. Throws 404 if it is missing or another account's. */
export const getDebit =
  ({ sql }: Base, find: FindDebit) =>
  async (
    ctx: Ctx,
    kind: DebitKind,
    { id, detailRetentions }: { id: number; detailRetentions: boolean },
  ): Promise<Detailed> => {
    const key = { accountId: ctx.accountId, id };
    const found = await find(key, kind);
    if (!found) throw notThere(kind);
    return { ...found, retentions: detailRetentions ? await readRetentions(sql, key) : null };
  };
