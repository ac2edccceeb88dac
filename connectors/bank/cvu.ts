import { Type } from 'typebox';
import { NeverSent, Unfit } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { AccountOutcome, OpenOrder } from '../protocol/messages.ts';
import { codeOf } from './api.ts';
import type { BankConfig } from './config.ts';
import type { Desk } from './debin.ts';

/** Length of a client number at the bank. */
const clientDigits = 12;
const nameLengths = { least: 5, most: 41 };

const readCvu = reader(Type.Object({ cvu: Type.String({ pattern: '^[0-9]{22}$' }) }));

/** Returns the bank's client number for a request. It is stable, so a retry finds the same CVU. */
export function clientOf({ clients }: Pick<BankConfig, 'clients'>, request: string): number {
  const room = clientDigits - clients.length;
  if (!/^\d+$/.test(request) || request.length > room) {
    throw new Unfit(`The request number must have at most ${room} digits after ${clients}.`);
  }
  return Number(clients + request.padStart(room, '0'));
}

/** Maps a character to the bank's alphabet, or to a space. */
function inAlphabet(character: string): string {
  if (/[a-zA-Z0-9ñÑáéíóúÁÉÍÓÚ.\s]/.test(character)) return character;
  const bare = character.normalize('NFD').replace(/\p{M}/gu, '');
  return /^[a-zA-Z0-9]$/.test(bare) ? bare : ' ';
}

/** Converts a name to the bank's format: 5 to 41 letters, digits, dots and spaces. */
export const nameOf = (name: string): string =>
  [...name.normalize('NFC')]
    .map(inAlphabet)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, nameLengths.most)
    .trim()
    .padEnd(nameLengths.least, '.');

/** Codes that refuse an account for good; after any other code the connector retries. */
const refusals: Readonly<Record<string, string>> = {
  GE003: 'A field is missing.',
  PA015: 'The name of the holder is not in the form of the bank.',
  TX012: 'The currency is not right.',
  TX040: 'The currency must be ARS.',
  VW001: 'The id of the client must be a number of up to 12 digits.',
  VW002: 'The user has no code of a payment service provider.',
  VW003: 'The account is not the collecting account of this provider.',
  VW004: 'A CVU of this client exists already.',
  VW012: 'The client belongs to another CUIT.',
  VW013: 'No CVU could be opened for this CUIT. Ask the bank.',
  VW016: 'The bank could not read the collecting account.',
};

/** Asks the bank for a CVU. Safe to retry: the bank returns the same CVU each time. */
export async function openCvu(
  { config, api }: Desk,
  { request, holder }: OpenOrder,
  signal: AbortSignal,
): Promise<AccountOutcome> {
  const order = {
    client_id: clientOf(config, request.id),
    cuit: holder.cuit,
    name: nameOf(holder.name),
    currency: 'ARS',
  };
  const { status, body } = await api.call('POST', '/wallet/cvu', order, signal);
  const read = readCvu(body);
  if (status < 300 && 'value' in read) return { outcome: 'open', cvu: read.value.cvu };
  const code = codeOf(body);
  if (status === 401 || status === 403 || (status === 409 && code === 'GE403')) {
    const alarm = `The bank answered ${status}: may this user open CVUs?`;
    throw new NeverSent(alarm, { alarm });
  }
  const meaning = status === 409 && code ? refusals[code] : undefined;
  if (!code || !meaning)
    throw new Error(`The bank answered the opening of a CVU with ${status} ${code ?? ''}.`);
  const text = `The bank opens no CVU: ${meaning} (${code})`;
  return { outcome: 'rejected', code, text, alarm: text };
}
