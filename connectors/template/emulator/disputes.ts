import type { Sale } from './sale.ts';

/** Disputes a sale with the token `tok_disputed`, then decides for the merchant. */
export function dispute(sale: Sale, later: (does: () => void) => void): void {
  const tell = (): void => {
    if (!sale.notify) return;
    const { origin } = new URL(sale.notify);
    const address = `${origin}/acquirer/disputes?reference=${sale.reference}`;
    fetch(address, { method: 'POST' }).catch(() => {});
  };
  later(() => {
    const evidence_until = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const { amount } = sale;
    const opened = { id: `D${sale.id}`, version: 1, status: 'open', amount } as const;
    sale.dispute = { ...opened, held: amount, evidence_until };
    tell();
    later(() => {
      sale.dispute = { ...opened, version: 2, status: 'won', held: 0, evidence_until };
      tell();
    });
  });
}
