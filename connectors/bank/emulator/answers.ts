import { randomUUID } from 'node:crypto';
import { type Answer, json } from '../../protocol/http.ts';
import type { Debin, Row, Transfer, Webhook } from './book.ts';

// Answers and notices in the format of the documentation.

export const bankAnswer = (status: number, value: unknown): Answer => {
  const answer = json(status, value);
  return { ...answer, headers: { ...answer.headers, process: randomUUID() } };
};

/** Returns an error with the bank's code. Its status is 409 unless the caller passes another. */
export const refuse = (code: string, message: string, status = 409): Answer =>
  bankAnswer(status, { code, message });

const moment = (ms: number): string => new Date(ms).toISOString();

/** Descriptions of DEBIN states. The others are described by their name. */
const descriptions: Readonly<Record<string, string>> = {
  COMPLETED: 'ACREDITADO',
  REJECTED_CLIENT: 'RECHAZO DE CLIENTE',
  REFUNDED: 'DEVUELTO',
};

const buyerOf = ({ to }: Debin) => ({
  cuit: '20312528046',
  alias: to.label ?? null,
  cbu: to.cbu ?? null,
  name: 'Alejandro M.',
  bank_code: '285',
  bank_description: 'BANCO MACRO S.A.',
});

/** Returns the answer to an order: its state is in `status_description`. */
export const ordered = (debin: Debin, account: string, warnings: string[] = []) => ({
  id: debin.id,
  type: 'DEBIN',
  from: { bank_id: '322', account_id: account },
  details: {
    origin_id: debin.originId,
    buyer: buyerOf(debin),
    ...(warnings.length > 0 && { warnings }),
  },
  transaction_ids: [debin.id],
  status: debin.status === 'AWAITING_CONFIRMATION' ? 'PENDING' : debin.status,
  status_description: descriptions[debin.status] ?? debin.status,
  start_date: moment(debin.startedAt),
  end_date: moment(debin.startedAt),
  challenge: null,
  charge: { summary: debin.concept, value: { currency: 'ARS', amount: debin.amount } },
});

const sides = (debin: Debin) => ({
  sellerCuit: '30714423033',
  sellerAccountCBU: '3220001805000046360015',
  buyerAccountCBU: debin.to.cbu ?? '3220001823000055910025',
  buyerCuit: '20312528046',
  buyerAccountLabel: debin.to.label ?? '',
});

/** Renders a DEBIN for reads and lists: `status` is from the catalog of DEBIN states. */
export const debinView = (debin: Debin, account: string) => {
  const { details, ...order } = ordered(debin, account);
  return {
    ...order,
    details: { ...details, preauthorized: false, sellerAccountLabel: '', ...sides(debin) },
    status: debin.status,
  };
};

export const shownTransfer = (transfer: Transfer, account: string) => ({
  id: transfer.id,
  type: 'TRANSFER',
  from: { bank_id: '322', account_id: account },
  counterparty: {
    id: transfer.counterparty.id,
    name: transfer.counterparty.name,
    id_type: 'CUIT_CUIL',
    bank_routing: { scheme: 'UNAVAILABLE', address: '' },
    account_routing: { scheme: 'CVU', address: transfer.counterparty.address },
  },
  details:
    transfer.direction === 'TRANSFERENCIAS_RECIBIDAS'
      ? { origin_credit: { cvu: transfer.cvu, cuit: transfer.cuit } }
      : { origin_debit: { cvu: transfer.cvu, cuit: transfer.cuit } },
  transaction_ids: [transfer.id],
  status: transfer.status,
  status_description: transfer.status,
  start_date: moment(transfer.startedAt),
  end_date: '2999-12-31T00:00:00.000Z',
  challenge: null,
  charge: { summary: 'VAR', value: { currency: 'ARS', amount: transfer.amount } },
  business_date: `${moment(transfer.startedAt).slice(0, 10)}T03:00:00.000Z`,
});

/** Returns a notice's data, without the members that the documentation deprecates. */
function dataOf(row: Row, account: string): object {
  if (row.kind === 'TRANSFER-CVU') {
    const { start_date: _start, end_date: _end, ...data } = shownTransfer(row, account);
    return data;
  }
  return {
    id: row.id,
    type: 'DEBIN',
    from: { account_id: account },
    details: sides(row),
    transaction_ids: [row.id],
    status: row.status,
    status_description: descriptions[row.status] ?? row.status,
    charge: { summary: row.concept, value: { currency: 'ARS', amount: row.amount } },
  };
}

const envelope = (object: string, type: string, data: object) => ({
  id: randomUUID(),
  object,
  created: moment(Date.now()),
  data,
  type,
  redeliveries: 0,
});

export const notice = (type: string, row: Row, account: string) =>
  envelope('ApiTransaction', type, dataOf(row, account));

/** Returns the notice with which the bank verifies an address before registering it. */
export const endpointCreated = ({ url, description, enabled, events }: Webhook) =>
  envelope('Endpoint', 'endpoint.created', { url, description, enabled, events });
