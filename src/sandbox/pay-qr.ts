import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { asDynamic, presentQr, type Qr, type QrTerms } from '../qr/index.ts';
import { amountDue } from '../requests/index.ts';
import { fault } from './codes.ts';
import type { SimulatedKind } from './kinds.ts';
import { paymentFault } from './payment.ts';

/** Simulates wallets that pay dynamic QRs and transactions of static QRs. */
export function simulatedQrs(
  { clocks }: Base,
  { dynamics, statics }: Qr,
  { links, terms }: { links: Links; terms: QrTerms },
): SimulatedKind {
  return {
    async pay(ctx, row, { channel, amount }, reference) {
      const qrId = row.code ?? '';
      const today = clocks.business.today();
      if (channel !== null && channel !== 'qr') {
        throw paymentFault('channel', fault('sandbox.qr_channel', {}));
      }
      if (amount !== null && amount !== amountDue(row, today)) {
        throw paymentFault('amount', fault('sandbox.amount_not_due', {}));
      }
      if (asDynamic(row)) await dynamics.pay(ctx, qrId, reference);
      else await statics.pay(ctx, qrId, { total: null, reference });
    },
    permission: 'qr:read',
    async show(ctx, row) {
      const qrId = row.code ?? '';
      if (!asDynamic(row)) return await statics.show(ctx, qrId);
      const today = clocks.business.today();
      return presentQr(await dynamics.get(ctx, qrId), { links, terms, today });
    },
  };
}
