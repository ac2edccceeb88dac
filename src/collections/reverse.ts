import type { Base } from '../platform/base.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { lockRequest, type RequestRow } from '../requests/index.ts';
import { isLive, type ResultRow } from './result.ts';
import { type Reversal, reversalWrite } from './reversal.ts';
import { lockResults, readSettings, readWithholdings } from './store.ts';
import { writeResults } from './write.ts';

export type Reverse = (reversal: Reversal) => Promise<void>;

/** A chargeback may follow a refund; a refund never follows a chargeback. */
const canGoBack = (type: Reversal['type'], row: ResultRow): boolean =>
  type === 'chargeback' ? row.type === 'collected' && row.charged_back === 0 : isLive(row);

const refusalText = {
  chargeback: 'charged back',
  refund: 'refunded',
} as const;

function pick(reversal: Reversal, request: RequestRow, results: ResultRow[]): ResultRow {
  const { type, resultId } = reversal;
  if (
    resultId !== null &&
    !results.some((row) => row.id === resultId && row.type === 'collected')
  ) {
    throw notFound('collected payment of this request');
  }
  const candidates = results.filter((row) => resultId === null || row.id === resultId);
  const live = candidates.filter(isLive);
  const found = (live.length > 0 ? live : candidates).filter((row) => canGoBack(type, row)).at(-1);
  if (found) return found;
  throw conflict(
    `The request is ${request.state}: it has no payment that can be ${refusalText[type]}.`,
  );
}

/**
 * Takes a payment back, whole (chargeback) or in parts (refund). The gross amount leaves the
 * holder's balance: first what of this payment is not available yet, then the available balance,
 * which may become negative. Withholdings come back in proportion; fees too where the account's
 * settings say so. 404: no such request or payment; 409: nothing left that could go back.
 */
export const reverse =
  ({ sql, clocks, recordIds }: Base): Reverse =>
  async (reversal) => {
    const ids = {
      result: await recordIds.next(),
      journal: await recordIds.next(),
      event: await recordIds.next(),
    };
    await sql.begin(async (tx) => {
      const request = await lockRequest(tx, reversal.key);
      if (!request) throw notFound('request');
      const results = await lockResults(tx, reversal.key);
      const { source, sourceRef } = reversal;
      // Told before: the same fact changes nothing.
      if (results.some((row) => row.source === source && row.source_ref === sourceRef)) return;
      const target = pick(reversal, request, results);
      const [lines, settings] = await Promise.all([
        readWithholdings(tx, target),
        readSettings(tx, target.account_id),
      ]);
      const facts = { request, results, target, lines, settings };
      await writeResults(tx, [reversalWrite(reversal, facts, ids, clocks.business.now())]);
    });
  };
