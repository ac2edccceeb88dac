import type { Lang } from '../../platform/pages/model.ts';

const es = {
  title: 'Devoluciones por aprobar',
  lead: 'Lo que una persona pidió devolver y otra tiene que aprobar.',
  leadAbove: (above: string) =>
    `Las devoluciones de más de ${above} de un pago las aprueba otra persona de la cuenta.`,
  one: (id: number) => `Devolución propuesta ${id}`,
  waiting: 'Esperan a otra persona',
  none: 'Ninguna devolución espera aprobación',
  decided: 'Ya decididas',
  noneDecided: 'Todavía no se decidió ninguna',
  request: 'Cobro',
  ofRequest: 'Devoluciones propuestas',
  limit: {
    title: 'Devoluciones entre dos',
    lead: 'Desde el portal, devolver más que este importe de un mismo pago lo pide una persona y lo aprueba otra, con rol de titular, administración o tesorería. Lo que se pida de a partes se suma.',
    off: 'Una sola persona puede devolver cualquier importe.',
    on: (above: string) => `Más de ${above} de un pago lo aprueba otra persona.`,
    note: 'Avisamos del cambio por correo a todos los titulares. Lo que ya espera a otra persona la sigue esperando. Las devoluciones por API no cambian: las controla el permiso de cada clave.',
    change: 'Cambiar',
  },
};
export type RefundTexts = typeof es;
const en: RefundTexts = {
  title: 'Refunds to approve',
  lead: 'What one person asked to give back and another one has to approve.',
  leadAbove: (above) =>
    `Refunds of more than ${above} of a payment are approved by another person of the account.`,
  one: (id) => `Proposed refund ${id}`,
  waiting: 'Wait for another person',
  none: 'No refund waits for approval',
  decided: 'Decided',
  noneDecided: 'None was decided yet',
  request: 'Payment request',
  ofRequest: 'Proposed refunds',
  limit: {
    title: 'Refunds by two people',
    lead: 'In the portal, giving back more than this of one payment is asked for by one person and approved by another one, an owner, administrator or treasurer. What is asked for in parts adds up.',
    off: 'One person alone may give back any amount.',
    on: (above) => `More than ${above} of a payment is approved by another person.`,
    note: 'All owners are told of the change by mail. What waits for another person goes on waiting. Refunds over the API do not change: the permission of each key controls them.',
    change: 'Change',
  },
};

export const refundTexts: Readonly<Record<Lang, RefundTexts>> = { es, en };
