import type { Lang } from '../../platform/pages/model.ts';

const es = {
  title: 'Devoluciones por aprobar',
  list: 'Cobros',
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
  list: 'Payment requests',
  lead: 'Refunds that one person requested and another must approve.',
  leadAbove: (above) =>
    `Another user of the account must approve refunds of more than ${above} of one payment.`,
  one: (id) => `Proposed refund ${id}`,
  waiting: 'Waiting for approval',
  none: 'No refunds waiting for approval',
  decided: 'Decided',
  noneDecided: 'None decided yet',
  request: 'Payment request',
  ofRequest: 'Proposed refunds',
  limit: {
    title: 'Refunds by two people',
    lead: 'Refunds in the portal above this amount of one payment need two people: one requests the refund, and an owner, administrator or treasurer approves it. Partial refunds count together.',
    off: 'One person can refund any amount.',
    on: (above) => `Another person must approve more than ${above} of one payment.`,
    note: 'All owners get an e-mail about the change. Refunds that already wait for another person keep waiting. Refunds over the API do not change: the permissions of each key control them.',
    change: 'Change',
  },
};

export const refundTexts: Readonly<Record<Lang, RefundTexts>> = { es, en };
