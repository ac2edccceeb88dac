import { type Answer, json } from '../../protocol/http.ts';
import type { Sale } from './sale.ts';

/** Pays like a wallet of the imaginary acquirer's network: asks first, then reports the payment. */
export async function payByWallet(
  body: string,
  { key, sales }: { key: string; sales: Sale[] },
): Promise<Answer> {
  const { code, amount, reversed, notify } = JSON.parse(body);
  const trx = `W${sales.length + 1}`;
  const tell = async (what: string): Promise<Response> =>
    await fetch(`${notify}/${what}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ trx, code, amount }),
    });
  const sale: Sale = {
    id: trx,
    reference: trx,
    state: 'refused',
    reason: null,
    amount,
    refunds: [],
    at: new Date().toISOString(),
    notify: null,
    code,
  };
  sales.push(sale);
  const answer = await tell('intention');
  const { status } = (await answer.json()) as { status: 'pass' | 'fail' };
  if (status === 'pass') {
    sale.state = reversed ? 'voided' : 'paid';
    await tell('paid');
  }
  return json(200, { trx, status });
}
