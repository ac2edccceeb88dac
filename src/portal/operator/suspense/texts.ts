import type { SuspenseReason, SuspenseRow } from '../../../money/suspense/index.ts';
import type { Lang } from '../../../platform/pages/model.ts';

const reasonsEs: Record<SuspenseReason, string> = {
  unreadable_code: 'No se pudo leer el código',
  unknown_request: 'El código no es de ningún cobro',
};
const reasonsEn: Record<SuspenseReason, string> = {
  unreadable_code: 'Unreadable code',
  unknown_request: 'No request has this code',
};
const statesEs: Record<SuspenseRow['state'], string> = {
  open: 'Sin identificar',
  assigned: 'Asignado',
  returned: 'Devuelto',
  reversed: 'Revertido por el banco',
};
const statesEn: Record<SuspenseRow['state'], string> = {
  open: 'Unknown',
  assigned: 'Assigned',
  returned: 'Returned',
  reversed: 'Reversed by the bank',
};

const es = {
  title: 'Sin identificar',
  lead: 'Dinero que entró y no es de ningún cobro conocido. Se asigna al cobro que era, o se devuelve.',
  open: 'Por decidir',
  all: 'Todos',
  filter: 'Cuáles',
  empty: 'No hay pagos sin identificar',
  emptyWhy:
    'Cuando un archivo o una transferencia traiga un pago que no es de ningún cobro, va a estar acá.',
  count: 'Pagos por decidir',
  total: 'Suman',
  number: 'Número',
  paid: 'Pagado',
  channel: 'Por',
  code: 'Código',
  reason: 'Por qué',
  amount: 'Importe',
  state: 'Estado',
  source: 'Lo dijo',
  informed: 'Informado',
  resolved: 'Decidido',
  note: 'Nota',
  to: 'Cobro',
  one: (id: number) => `Pago sin identificar ${id}`,
  search: {
    title: 'Buscar de qué cobro es',
    amount: 'Importe, de un vencimiento u otro',
    amountFault: 'Escribí un importe en pesos, como 1.430,50.',
    reference: 'Referencia externa',
    text: 'Nombre o número del cobro',
    account: 'Cuenta',
    anyAccount: 'Todas',
    more: 'Para buscar por nombre elegí una cuenta, o poné también el importe o la referencia.',
    none: 'Ningún cobro coincide',
    noneWhy: 'Probá con menos datos.',
    most: (count: number) => `Se muestran los ${count} más nuevos: afiná la búsqueda.`,
    cut: (count: number) =>
      `El nombre se comparó solo con los ${count} cobros más nuevos que coinciden en lo demás: poné también la cuenta, el importe o la referencia.`,
    found: 'Cobros que coinciden',
    account_id: 'Cuenta',
    payer: 'Pagador',
    due: 'Vence',
    second: (day: string) => `después, hasta el ${day}:`,
    choose: 'Asignar a este',
  },
  assign: {
    title: (id: number) => `Asignar el pago ${id}`,
    lead: 'Queda como un cobro del día en que se pagó, y la cuenta se entera. No se puede deshacer.',
    money: 'El pago',
    request: 'El cobro',
    differs: 'El importe del pago no es el del cobro.',
    paid: 'Este cobro ya está pagado: quedaría pagado dos veces.',
  },
  giveBack: {
    link: 'Devolver a quien pagó',
    title: (id: number) => `Devolver el pago ${id}`,
    lead: 'Registra que el dinero se devolvió desde tu banco a quien lo pagó. No se puede deshacer.',
  },
  reasons: reasonsEs,
  states: statesEs,
};

export type SuspenseTexts = typeof es;

const en: SuspenseTexts = {
  title: 'Unknown payments',
  lead: 'Money received for no known request. Assign it to a request, or return it.',
  open: 'Undecided',
  all: 'All',
  filter: 'Show',
  empty: 'No unknown payments',
  emptyWhy: 'Payments from a file or transfer that match no request appear here.',
  count: 'Undecided payments',
  total: 'Total',
  number: 'Number',
  paid: 'Paid',
  channel: 'By',
  code: 'Code',
  reason: 'Reason',
  amount: 'Amount',
  state: 'State',
  source: 'Reported by',
  informed: 'Reported',
  resolved: 'Decided',
  note: 'Note',
  to: 'Request',
  one: (id) => `Unknown payment ${id}`,
  search: {
    title: 'Find the request',
    amount: 'Amount at either due date',
    amountFault: 'Enter an amount in pesos, such as 1430.50.',
    reference: 'External reference',
    text: 'Name, or request number',
    account: 'Account',
    anyAccount: 'All',
    more: 'To search by name, also choose an account, or enter an amount or reference.',
    none: 'No requests match',
    noneWhy: 'Try fewer filters.',
    most: (count) => `The newest ${count} are shown. Narrow the search.`,
    cut: (count) =>
      `Only the newest ${count} requests that match the other filters were searched by name. Add the account, amount or reference.`,
    found: 'Matching requests',
    account_id: 'Account',
    payer: 'Payer',
    due: 'Due',
    second: (day) => `then, until ${day}:`,
    choose: 'Assign to this request',
  },
  assign: {
    title: (id) => `Assign payment ${id}`,
    lead: 'The payment becomes a collection on the day it was paid, and the account holder is notified. This cannot be undone.',
    money: 'The payment',
    request: 'The request',
    differs: 'The amount paid differs from the amount of the request.',
    paid: 'This request is already paid, so it would be paid twice.',
  },
  giveBack: {
    link: 'Return to the payer',
    title: (id) => `Return payment ${id}`,
    lead: 'Records that you returned the money to the payer from your bank. This cannot be undone.',
  },
  reasons: reasonsEn,
  states: statesEn,
};

export const suspenseTexts: Readonly<Record<Lang, SuspenseTexts>> = { es, en };
