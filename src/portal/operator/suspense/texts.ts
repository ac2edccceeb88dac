import type { SuspenseReason, SuspenseRow } from '../../../money/suspense/index.ts';
import type { Lang } from '../../../platform/pages/model.ts';

const reasonsEs: Record<SuspenseReason, string> = {
  unreadable_code: 'No se pudo leer el código',
  unknown_request: 'El código no es de ningún cobro',
};
const reasonsEn: Record<SuspenseReason, string> = {
  unreadable_code: 'The code cannot be read',
  unknown_request: 'The code is of no request',
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
  lead: 'Plata que entró y no es de ningún cobro conocido. Se asigna al cobro que era, o se devuelve.',
  open: 'Por decidir',
  all: 'Todos',
  filter: 'Cuáles',
  empty: 'No hay plata sin identificar',
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
    lead: 'Registra que la plata se devolvió desde tu banco a quien la pagó. No se puede deshacer.',
  },
  reasons: reasonsEs,
  states: statesEs,
};

export type SuspenseTexts = typeof es;

const en: SuspenseTexts = {
  title: 'Unknown payments',
  lead: 'Money that came in and is of no request that is known. Assign it to the one it was for, or return it.',
  open: 'To be decided',
  all: 'All',
  filter: 'Which',
  empty: 'There are no unknown payments',
  emptyWhy: 'Once a file or transfer tells of a payment of no request, it stands here.',
  count: 'Payments to be decided',
  total: 'Add up to',
  number: 'Number',
  paid: 'Paid',
  channel: 'By',
  code: 'Code',
  reason: 'Why',
  amount: 'Amount',
  state: 'State',
  source: 'Told by',
  informed: 'Told',
  resolved: 'Decided',
  note: 'Note',
  to: 'Request',
  one: (id) => `Unknown payment ${id}`,
  search: {
    title: 'Look for its request',
    amount: 'Amount, of either due date',
    amountFault: 'Write an amount in pesos, like 1430.50.',
    reference: 'External reference',
    text: 'Name, or number of the request',
    account: 'Account',
    anyAccount: 'All',
    more: 'To look for a name choose an account, or give an amount or a reference too.',
    none: 'No request matches',
    noneWhy: 'Try with less.',
    most: (count) => `The ${count} newest are shown: look for more.`,
    cut: (count) =>
      `The name was compared with the ${count} newest requests alone that match otherwise: give the account, the amount or the reference too.`,
    found: 'Requests that match',
    account_id: 'Account',
    payer: 'Payer',
    due: 'Due',
    second: (day) => `then, until ${day}:`,
    choose: 'Assign to this one',
  },
  assign: {
    title: (id) => `Assign payment ${id}`,
    lead: 'It becomes a collection of the day on which it was paid, and the account is told. It cannot be undone.',
    money: 'The payment',
    request: 'The request',
    differs: 'The amount paid is not that of the request.',
    paid: 'This request is paid: it would be paid twice.',
  },
  giveBack: {
    link: 'Return to who paid',
    title: (id) => `Return payment ${id}`,
    lead: 'Keeps that the money was given back from your bank to who paid it. It cannot be undone.',
  },
  reasons: reasonsEn,
  states: statesEn,
};

export const suspenseTexts: Readonly<Record<Lang, SuspenseTexts>> = { es, en };
