import type { Lang } from '../../platform/pages/model.ts';

const es = {
  title: 'Pedir una transferencia',
  lead: 'La pide tu oficina y la aprueba quien opera el servicio. Hasta entonces no sale nada de tus saldos.',
  action: 'Pedir transferencia',
  available: 'Disponible',
  to: 'Va a',
  changing: (moment: string) =>
    `Hay un cambio de CBU que rige desde el ${moment}. Si se aprueba después, hay que pedirla de nuevo.`,
  amount: 'Importe',
  amountHint: (all: string) => `En pesos. En blanco: todo lo disponible, ${all}.`,
  amountFault: 'Escribí un importe en pesos, mayor que 0.',
  ask: 'Pedir',
  none: 'No hay nada disponible para pedir',
  noneWhy: 'Cuando lo cobrado llegue a su día de disponibilidad vas a poder pedirlo.',
  noCbu: 'La cuenta no tiene CBU',
  noCbuWhy: 'Un titular la carga en Ajustes: rige a las 24 horas.',
  open: (amount: string) => `Ya hay una transferencia pedida, de ${amount}`,
  openWhy: 'Se pide de a una: esperá a que se decida, o retirala.',
  asked_before:
    'Este formulario ya pidió una transferencia, por otro importe. Enviarlo de nuevo pide otra.',
  tooMuch: 'No hay tanto disponible para transferir.',
  asked: 'Transferencias pedidas',
  when: 'Pedida',
  state: 'Estado',
  waits: (moment: string) => `vence el ${moment}`,
  withdraw: 'Retirar el pedido',
  late: 'No se retiró: ya estaba decidida.',
};
export type AskTexts = typeof es;
const en: AskTexts = {
  title: 'Ask for a payout',
  lead: 'Your office asks for it and whoever operates the service approves it. Nothing leaves your balances before.',
  action: 'Ask for a payout',
  available: 'Available',
  to: 'Goes to',
  changing: (moment) =>
    `The CBU changes from ${moment} on. If it is approved after that, it has to be asked for again.`,
  amount: 'Amount',
  amountHint: (all) => `In pesos. Left blank: all that is available, ${all}.`,
  amountFault: 'Enter an amount in pesos, more than 0.',
  ask: 'Ask',
  none: 'Nothing is available to be asked for',
  noneWhy: 'Once what was collected reaches its day of availability, it can be asked for.',
  noCbu: 'The account has no CBU',
  noCbuWhy: 'An owner enters it in Settings: it takes effect after 24 hours.',
  open: (amount) => `A payout of ${amount} was asked for already`,
  openWhy: 'One is asked for at a time: wait until it is decided, or withdraw it.',
  asked_before:
    'This form asked for a payout before, of another amount. Sent again, it asks for another one.',
  tooMuch: 'There is not so much available to be paid out.',
  asked: 'Payouts asked for',
  when: 'Asked',
  state: 'State',
  waits: (moment) => `lapses on ${moment}`,
  withdraw: 'Withdraw it',
  late: 'It was not withdrawn: it was decided before.',
};

export const askTexts: Readonly<Record<Lang, AskTexts>> = { es, en };
