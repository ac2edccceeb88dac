import { bodyFor } from '../../connectors/protocol/signature.ts';
import { qrPayload } from '../../src/payment-requests/index.ts';
import { type Answer, call, type TestService, testAccount } from '../harness/service.ts';
import type { Played } from './played.ts';

export interface Network {
  /** Sends a notice. */
  tell(notice: object): Promise<Answer>;
  /** Returns an id that the network gives to a payment. */
  trx(): string;
  intend(
    code: string,
    amount: number,
    payment?: { trx: string },
  ): Promise<{ trx: string; answer: Record<string, unknown> }>;
  confirm(trx: string, code: string, amount: number, paidAt?: string): Promise<Answer>;
  reverse(trx: string): Promise<Answer>;
  /** Returns the code that the checkout and the coupon of a payment request show. */
  codeOfRequest(id: number): Promise<string>;
}

let payments = 0;

/** Simulates the network of wallets behind a connector. */
export function networkOf(
  service: TestService,
  played: Pick<Played, 'signed'>,
  name = 'wallets',
  origin = service.origin,
): Network {
  const tell = async (notice: object): Promise<Answer> => {
    const path = `/connectors/${name}/notices`;
    const body = bodyFor('POST', path, notice);
    const headers = { ...played.signed(body) };
    return await call(origin, 'POST', path, { body, key: null, headers });
  };
  const trx = (): string => {
    payments += 1;
    return `${process.pid}-${payments}`;
  };
  return {
    tell,
    trx,
    async intend(code, amount, payment = { trx: trx() }) {
      const { status, body } = await tell({ type: 'qr.intention', ...payment, code, amount });
      if (status !== 200) throw new Error(`an intention was answered with ${status}`);
      return { ...payment, answer: body };
    },
    confirm: (id, code, amount, paidAt = '') => {
      const now = service.service.parts.clocks.business.now();
      const paid_at = paidAt || now.toString({ smallestUnit: 'millisecond' });
      return tell({ type: 'qr.confirmed', trx: id, code, amount, paid_at });
    },
    reverse: (id) => tell({ type: 'qr.reversed', trx: id, reason: '6200' }),
    async codeOfRequest(id) {
      const { offer, readAccount, requests } = service.service.parts;
      const account = await readAccount(testAccount);
      const found = await requests.find({ accountId: testAccount, id });
      if (!account || !found || !offer.qr) throw new Error('a request without a code');
      return qrPayload(offer.qr, account, found.row);
    },
  };
}
