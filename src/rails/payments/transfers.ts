import { cvuParts } from '../../kernel/cbu.ts';
import type { Centavos } from '../../kernel/money.ts';
import { channels } from '../../money/channels/index.ts';
import type { RecordFact } from '../../money/collections/index.ts';
import { findUnmatched, type Suspend } from '../../money/suspense/index.ts';
import { findByCvu } from '../../payment-requests/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { findRequests, type RequestRow, readRequests } from '../../requests/index.ts';

/** Money transferred to one of the provider's accounts. */
export interface Transfer {
  /** The CVU that received it. */
  cvu: string;
  amount: Centavos;
  paidAt: Temporal.Instant;
  /** The source, and the transfer's name there. A repeated transfer is booked once. */
  source: string;
  sourceRef: string;
  actor: Actor;
}

/**
 * Books a transfer on the request that owns the account, else into suspense. Money that is already
 * in suspense stays there for the operator to assign, even if the transfer is reported again after
 * its request was created.
 */
export type ReceiveTransfer = (transfer: Transfer) => Promise<void>;

interface TransferParts {
  sql: Queryable;
  record: RecordFact;
  suspend: Suspend;
  /** Code of the provider whose account numbers are derived from request numbers. */
  psp: string | null;
}

const channel = 'wire_transfer';
const { label } = channels[channel];

export function receiveTransfers({ sql, record, suspend, psp }: TransferParts): ReceiveTransfer {
  const requestOf = async (cvu: string): Promise<RequestRow | null> => {
    const opened = await findByCvu(sql, cvu);
    if (opened) return (await readRequests(sql, [opened]))[0] ?? null;
    const parts = cvuParts(cvu);
    if (!parts || parts.psp !== psp) return null;
    const [request] = await findRequests(sql, [parts.client]);
    return request?.kind === 'payment_request' ? request : null;
  };
  return async ({ cvu, actor, ...money }) => {
    const request = await requestOf(cvu);
    if (!request) {
      await suspend([{ ...money, reason: 'unknown_request', channel, label, code: cvu }]);
      return;
    }
    if (await findUnmatched(sql, money.source, money.sourceRef)) return;
    await record({
      ...money,
      request,
      type: 'collected',
      channel,
      label,
      actor,
      attemptId: null,
      details: {},
    });
  };
}
