import type { KeyPermission } from '../accounts/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import {
  type RequestKind,
  type RequestRow,
  readRequests,
  requestRefusal,
  stateOn,
} from '../requests/index.ts';
import type { SimulatedPayment } from './payment.ts';

/** Simulated payment of one kind of request. */
export interface SimulatedKind {
  /** Permission to see the request. */
  permission: KeyPermission;
  /** Pays a request, once per reference. */
  pay(ctx: Ctx, row: RequestRow, payment: SimulatedPayment, reference: string): Promise<void>;
  show(ctx: Ctx, row: RequestRow): Promise<unknown>;
}

/** Requests of all kinds, by id. */
export interface SimulatedRequests {
  pay(ctx: Ctx, id: number, payment: SimulatedPayment, reference: string): Promise<void>;
  /** Returns the response of the request's GET, or only id and state if the key may not read it. */
  show(ctx: Ctx, id: number): Promise<unknown>;
}

export function simulatedRequests(
  { sql, clocks }: Base,
  kinds: Record<RequestKind, SimulatedKind>,
): SimulatedRequests {
  const rowOf = async ({ accountId }: Ctx, id: number): Promise<RequestRow> => {
    const [row] = await readRequests(sql, [{ accountId, id }]);
    if (!row) throw requestRefusal('request.not_found', {});
    return row;
  };
  return {
    async pay(ctx, id, payment, reference) {
      const row = await rowOf(ctx, id);
      await kinds[row.kind].pay(ctx, row, payment, reference);
    },
    async show(ctx, id) {
      const row = await rowOf(ctx, id);
      if (ctx.permissions?.has(kinds[row.kind].permission) === false) {
        return { id: row.id, state: stateOn(row, clocks.business.today()) };
      }
      return await kinds[row.kind].show(ctx, row);
    },
  };
}
