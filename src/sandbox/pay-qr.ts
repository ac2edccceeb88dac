import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import { asDynamic, presentQr, type Qr, type QrTerms } from '../qr/index.ts';
import { amountDue } from '../requests/index.ts';
import type { SimulatedKind } from './kinds.ts';
import { paymentFault } from './payment.ts';

/** Plays the wallets that pay QRs, dynamic ones and the transactions of static ones. */
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
        throw paymentFault('channel', 'A QR is paid by `qr` only; leave the channel out.');
      }
      if (amount !== null && amount !== amountDue(row, today)) {
        throw paymentFault('amount', 'A wallet pays exactly what is due; leave the amount out.');
      }
      if (asDynamic(row)) await dynamics.pay(ctx, qrId, reference);
      else await statics.pay(ctx, qrId, { total: null, reference });
    },
    async show(ctx, row) {
      const qrId = row.code ?? '';
      if (!asDynamic(row)) return await statics.show(ctx, qrId);
      const today = clocks.business.today();
      return presentQr(await dynamics.get(ctx, qrId), { links, terms, today });
    },
  };
}
