import { Type } from 'typebox';
import { NeverSent, Unfit } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { AccountOutcome, OpenOrder } from '../protocol/messages.ts';
import type { BankConfig } from './config.ts';
import { codeOf, type Desk } from './debin.ts';

/** Digits by which the bank knows a client. */
const clientDigits = 12;

const readCvu = reader(
  Type.Object({
    client_id: Type.Union([Type.String(), Type.Number()]),
    cvu: Type.String({ pattern: '^[0-9]{22}$' }),
  }),
);

/** Each request is a client of the bank's wallet; the same one, the same CVU. */
export function clientOf({ clients }: Pick<BankConfig, 'clients'>, request: string): string {
  const room = clientDigits - clients.length;
  if (request.length > room) {
    throw new Unfit(`The bank knows ${clientDigits} digits: behind ${clients} are ${room}.`);
  }
  return clients + request.padStart(room, '0');
}

/** Asks the bank for a CVU. It answers the same one again, so its answer may be lost. */
export async function openCvu(
  { config, api }: Desk,
  { request, holder }: OpenOrder,
  signal: AbortSignal,
): Promise<AccountOutcome> {
  const client = clientOf(config, request.id);
  const order = { client_id: client, cuit: holder.cuit, name: holder.name, currency: 'ARS' };
  const { status, body } = await api.call('POST', '/wallet/cvu', order, signal);
  const read = readCvu(body);
  if (status < 300 && 'value' in read) {
    if (String(read.value.client_id) !== client) {
      throw new Error('The bank answered the CVU of another client.');
    }
    return { outcome: 'open', cvu: read.value.cvu };
  }
  if (status === 401 || status === 403) {
    const alarm = `The bank answered ${status}: may this user open CVUs?`;
    throw new NeverSent(alarm, { alarm });
  }
  const code = codeOf(body);
  if (!code || (status !== 400 && status !== 409)) {
    throw new Error(`The bank answered ${status} to the order of a CVU.`);
  }
  const text = `The bank opens no CVU: ${code}.`;
  return { outcome: 'rejected', code, text, alarm: text };
}
