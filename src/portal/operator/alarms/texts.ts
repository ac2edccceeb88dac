import type { MoneyAlarmKind } from '../../../money/alarms/index.ts';
import type { Lang } from '../../../platform/pages/model.ts';

const kindsEs: Record<MoneyAlarmKind, string> = {
  amount: 'Otro importe',
  reference: 'Identificador repetido',
  excluded_brand: 'Tarjeta excluida',
  late_approval: 'Aprobación tardía',
  not_returned: 'No se pudo devolver',
  debit_not_charged: 'Débito sin cobrar',
  back_before: 'Vuelve dos veces',
  refund: 'Devolución sin respuesta',
  reversed_in_suspense: 'Revertido sin identificar',
  reversed_after_return: 'Revertido después de devuelto',
  undecided: 'Sin decidir',
  card_number: 'Número de tarjeta',
  card_testing: 'Prueba de tarjetas',
};
const kindsEn: Record<MoneyAlarmKind, string> = {
  amount: 'Another amount',
  reference: 'Repeated identifier',
  excluded_brand: 'Excluded card',
  late_approval: 'Late approval',
  not_returned: 'Not returned',
  debit_not_charged: 'Debit not charged',
  back_before: 'Taken back twice',
  refund: 'Refund without an answer',
  reversed_in_suspense: 'Reversed in suspense',
  reversed_after_return: 'Reversed after its return',
  undecided: 'Undecided',
  card_number: 'Card number',
  card_testing: 'Card testing',
};

const es = {
  title: 'Alarmas de dinero',
  lead: 'Hechos en los que los libros y lo que dice un banco o adquirente no coinciden. Cada uno espera hasta que una persona lo cierra.',
  open: 'Abiertas',
  all: 'Todas',
  empty: 'No hay alarmas abiertas',
  emptyWhy: 'Cuando un banco o adquirente diga algo que no coincide, va a estar acá.',
  number: 'Número',
  kind: 'Qué',
  raised: 'Desde',
  message: 'Detalle',
  account: 'Cuenta',
  request: 'Cobro',
  attempt: 'Intento',
  result: 'Movimiento',
  suspense: 'Pago sin identificar',
  connector: 'Conector',
  amount: 'Importe',
  closed: 'Cerrada',
  note: 'Cómo se resolvió',
  noteFault: 'Contá en una línea cómo se resolvió.',
  submit: 'Cerrar la alarma',
  one: (id: number) => `Alarma ${id}`,
  kinds: kindsEs,
};

export type AlarmTexts = typeof es;

const en: AlarmTexts = {
  title: 'Alarms about money',
  lead: 'Facts in which the books and a bank or acquirer differ. Each one stays until a person closes it.',
  open: 'Open',
  all: 'All',
  empty: 'No alarm is open',
  emptyWhy: 'When a bank or acquirer reports something that does not match, it appears here.',
  number: 'Number',
  kind: 'What',
  raised: 'Since',
  message: 'Detail',
  account: 'Account',
  request: 'Request',
  attempt: 'Attempt',
  result: 'Movement',
  suspense: 'Unknown payment',
  connector: 'Connector',
  amount: 'Amount',
  closed: 'Closed',
  note: 'How it was settled',
  noteFault: 'Say in one line how it was settled.',
  submit: 'Close the alarm',
  one: (id) => `Alarm ${id}`,
  kinds: kindsEn,
};

export const alarmTexts: Readonly<Record<Lang, AlarmTexts>> = { es, en };
