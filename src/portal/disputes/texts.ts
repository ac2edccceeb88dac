import type { DisputeState } from '../../money/disputes/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

const statesEs: Record<DisputeState, string> = {
  opened: 'Abierta',
  evidence_due: 'Espera pruebas',
  won: 'Ganada',
  lost: 'Perdida',
  partial: 'Ganada en parte',
  reversed: 'Retirada',
};
const statesEn: Record<DisputeState, string> = {
  opened: 'Opened',
  evidence_due: 'Evidence due',
  won: 'Won',
  lost: 'Lost',
  partial: 'Won in part',
  reversed: 'Withdrawn',
};

const es = {
  title: 'Disputas',
  lead: 'Pagos que su titular desconoció ante el emisor de la tarjeta. Las pruebas se presentan al adquirente antes del vencimiento.',
  leadAccount:
    'Pagos que su titular desconoció ante el emisor de la tarjeta. Mandanos las pruebas antes del vencimiento.',
  undecided: 'Sin decidir',
  all: 'Todas',
  empty: 'No hay disputas sin decidir',
  account: 'Cuenta',
  request: 'Cobro',
  state: 'Estado',
  amount: 'En disputa',
  taken: 'Retenido',
  due: 'Pruebas hasta',
  past: 'Venció',
  opened: 'Desde',
  reason: 'Motivo',
  states: statesEs,
};

export type DisputeTexts = typeof es;

const en: DisputeTexts = {
  title: 'Disputes',
  lead: 'Payments that their payer disputed with the issuer. Evidence goes to the acquirer before the deadline.',
  leadAccount:
    'Payments that their payer disputed with the issuer. Send us your evidence before the deadline.',
  undecided: 'Undecided',
  all: 'All',
  empty: 'No dispute is undecided',
  account: 'Account',
  request: 'Payment request',
  state: 'State',
  amount: 'Disputed',
  taken: 'Held back',
  due: 'Evidence until',
  past: 'Passed',
  opened: 'Since',
  reason: 'Reason',
  states: statesEn,
};

export const disputeTexts: Readonly<Record<Lang, DisputeTexts>> = { es, en };
