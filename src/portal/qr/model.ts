import type { ThreeDs } from '../../money/channels/index.ts';
import { threeDsOfLast } from '../../money/collections/index.ts';
import type { FoundQr } from '../../qr/index.ts';
import { type DisputeView, readDisputes } from '../disputes/model.ts';
import type { QrPageParts } from './parts.ts';

export interface QrDetails {
  found: FoundQr;
  today: Temporal.PlainDate;
  /** Time of the business clock. */
  now: Temporal.Instant;
  /** 3-D Secure result of the last payment. Null if unknown. */
  threeDs: ThreeDs | null;
  /** Current and past disputes of its payments. */
  disputes: readonly DisputeView[];
}

export async function readQrDetails(
  { base: { sql }, clocks: { business } }: QrPageParts,
  found: FoundQr,
): Promise<QrDetails> {
  const key = { accountId: found.row.account_id, id: found.row.id };
  const [threeDs, disputes] = await Promise.all([threeDsOfLast(sql, key), readDisputes(sql, key)]);
  return { found, today: business.today(), now: business.now(), threeDs, disputes };
}
