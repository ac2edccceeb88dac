import type { Answer } from '../../protocol/http.ts';
import { bankAnswer, refuse, shownTransfer } from './answers.ts';
import type { Book } from './book.ts';
import { cvuFor, type OrderBody } from './debins.ts';

const names = /^[a-zA-Z0-9ñÑáéíóúÁÉÍÓÚ.\s]{5,41}$/;
const noAlias = 'NO SE PUEDE ASIGNAR UN ALIAS AUTOMATICAMENTE, DEBERÁ HACERLO DE FORMA MANUAL';

/** CVUs of the clients of the account's wallet, and transfers to and from them. */
export function createWallet(book: Book, account: string) {
  async function open({
    client_id: client,
    cuit,
    name,
    currency = 'ARS',
  }: OrderBody): Promise<Answer> {
    if (typeof client !== 'number' || !Number.isInteger(client) || client < 0 || client >= 1e12) {
      return refuse('VW001', 'El id de cliente debe ser numérico y de hasta 12 dígitos');
    }
    if (typeof cuit !== 'string' || !/^\d{11}$/.test(cuit)) return refuse('GE003', 'Falta el CUIT');
    if (typeof name !== 'string' || !names.test(name)) {
      return refuse('PA015', 'El titular no cumple con el formato requerido');
    }
    if (currency !== 'ARS') return refuse('TX040', 'Solo se acepta ARS');
    const found = book.client(client);
    if (found && found.cuit !== cuit) return refuse('VW012', 'El cliente es de otro CUIT');
    if (found) return bankAnswer(200, { cvu: found.cvu, label: '', reactivated: false });
    const cvu = cvuFor(String(client));
    await book.addClient(client, cuit, name, cvu);
    return bankAnswer(200, { cvu, label: noAlias, reactivated: false });
  }

  const transfer = (id: string): Answer => {
    const found = book.row(id);
    return found?.kind === 'TRANSFER-CVU'
      ? bankAnswer(200, shownTransfer(found, account))
      : refuse('TX019', 'Transferencia inexistente');
  };

  return { open, transfer };
}
