import type { Proposal } from '../../../money/proposals/index.ts';
import type { Lang } from '../../../platform/pages/model.ts';

const statesEs: Record<Proposal['state'], string> = {
  waiting: 'Espera a otra persona',
  approved: 'Aprobada',
  rejected: 'Rechazada',
};
const statesEn: Record<Proposal['state'], string> = {
  waiting: 'Waits for another person',
  approved: 'Approved',
  rejected: 'Rejected',
};

const es = {
  number: 'Número',
  account: 'Cuenta',
  reference: 'Referencia',
  amount: 'Importe',
  state: 'Estado',
  proposedBy: 'La propuso',
  proposedAt: 'Propuesta',
  decidedBy: 'La decidió',
  decidedAt: 'Decidida',
  reason: 'Por qué',
  note: 'Nota',
  cbu: 'CBU',
  before: 'Disponible antes',
  after: 'Disponible después',
  waiting: 'Esperan aprobación',
  latest: 'Propuestas',
  none: 'Nada espera a otra persona',
  noneEver: 'Todavía no hubo propuestas',
  approve: 'Aprobar',
  approveLead: 'Al aprobar se hace en el momento. No se puede deshacer desde acá.',
  own: 'La propusiste vos: la aprueba otra persona.',
  reject: 'Rechazar',
  rejectFault: 'Contá en una línea por qué.',
  refused: 'No se hizo',
  states: statesEs,
};
export type FourEyesTexts = typeof es;
const en: FourEyesTexts = {
  number: 'Number',
  account: 'Account',
  reference: 'Reference',
  amount: 'Amount',
  state: 'State',
  proposedBy: 'Proposed by',
  proposedAt: 'Proposed',
  decidedBy: 'Decided by',
  decidedAt: 'Decided',
  reason: 'Why',
  note: 'Note',
  cbu: 'CBU',
  before: 'Available before',
  after: 'Available after',
  waiting: 'Wait for approval',
  latest: 'Proposals',
  none: 'Nothing waits for another person',
  noneEver: 'There were no proposals yet',
  approve: 'Approve',
  approveLead: 'Approved, it is done at once. It cannot be undone here.',
  own: 'You proposed it: another person approves it.',
  reject: 'Reject',
  rejectFault: 'Say in one line why.',
  refused: 'It was not done',
  states: statesEn,
};

export const fourEyesTexts: Readonly<Record<Lang, FourEyesTexts>> = { es, en };
