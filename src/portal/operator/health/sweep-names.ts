import type { Lang } from '../../../platform/pages/model.ts';

/** What each sweep does, as the sandbox's clock reports it, in Spanish. */
const spanish: Readonly<Record<string, string>> = {
  'unanswered charges settled': 'Cobros sin respuesta, consultados',
  'unanswered refunds settled': 'Devoluciones sin respuesta, consultadas',
  'unwanted approvals given back': 'Aprobaciones tardías, devueltas',
  'refunds transferred by the simulator': 'Devoluciones transferidas por el simulador',
  'payments reversed by the simulator': 'Pagos revertidos por el simulador',
  'mandates signed by the simulator': 'Adhesiones firmadas por el simulador',
  'mandates canceled unsigned': 'Adhesiones sin firmar, canceladas',
  'mandates of closed accounts canceled': 'Adhesiones de cuentas cerradas, canceladas',
  'cards on file settled': 'Tarjetas guardadas, consultadas',
  'cards on file that expire': 'Tarjetas guardadas que vencen, avisadas',
  'disputes whose evidence is due': 'Disputas con pruebas por presentar, avisadas',
  'debits submitted': 'Débitos enviados a cobrar',
  'debits charged by connectors': 'Débitos cobrados por conectores',
  'debits answered by the simulator': 'Débitos respondidos por el simulador',
  'debits reversed by the simulator': 'Débitos revertidos por el simulador',
  'collections made available': 'Cobros que pasan a disponibles',
  'proposals lapsed': 'Propuestas sin decidir, vencidas',
  'drafts of imports discarded': 'Emisiones sin confirmar, descartadas',
  'reminders to payers noted': 'Recordatorios a pagadores',
  'payment requests expired': 'Cobros vencidos',
  'static QR transactions expired': 'Cobros de QR fijo, vencidos',
  'QRs expired': 'QR vencidos',
  'card numbers erased': 'Números de tarjeta borrados',
  'keys retired': 'Claves retiradas',
};

export const sweepName = (lang: Lang, name: string): string =>
  lang === 'es' ? (spanish[name] ?? name) : name;
