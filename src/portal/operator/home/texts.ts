import type { Lang } from '../../../platform/pages/model.ts';

interface OperatorHomeTexts {
  readonly title: string;
  readonly lead: string;
  readonly attention: string;
  readonly nothing: string;
  readonly nothingWhy: string;
  readonly suspense: (count: number) => string;
  readonly lateFile: (rail: string) => string;
  readonly lastFile: (day: string) => string;
  readonly sweeps: (count: number) => string;
  readonly mails: (count: number) => string;
  readonly payouts: (count: number) => string;
  readonly corrections: (count: number) => string;
  readonly looks: (count: number) => string;
  readonly evidence: (count: number) => string;
  readonly evidenceUntil: (first: string) => string;
  readonly alarms: (count: number) => string;
  readonly what: string;
  readonly detail: string;
}

export const operatorHomeTexts: Readonly<Record<Lang, OperatorHomeTexts>> = {
  es: {
    title: 'Inicio',
    lead: 'Lo que espera a quien opera el servicio.',
    attention: 'Para mirar',
    nothing: 'No hay nada que pida tu atención',
    nothingWhy: 'Llegaron los archivos, no hay pagos sin identificar y los procesos están al día.',
    suspense: (count) =>
      count === 1 ? '1 pago sin identificar' : `${count} pagos sin identificar`,
    lateFile: (rail) => `Falta el archivo de ${rail}`,
    lastFile: (day) => `el último es del ${day}`,
    sweeps: (count) => (count === 1 ? '1 proceso atrasado' : `${count} procesos atrasados`),
    mails: (count) =>
      count === 1 ? '1 mail que no se pudo entregar' : `${count} mails que no se pudieron entregar`,
    payouts: (count) =>
      count === 1 ? '1 pago a una cuenta por aprobar' : `${count} pagos a cuentas por aprobar`,
    corrections: (count) =>
      count === 1 ? '1 corrección por aprobar' : `${count} correcciones por aprobar`,
    looks: (count) =>
      count === 1 ? '1 nombre o logo por aprobar' : `${count} nombres o logos por aprobar`,
    evidence: (count) =>
      count === 1 ? '1 disputa que espera pruebas' : `${count} disputas que esperan pruebas`,
    evidenceUntil: (first) => `la primera hasta el ${first}`,
    alarms: (count) => (count === 1 ? '1 alarma de dinero' : `${count} alarmas de dinero`),
    what: 'Qué',
    detail: 'Detalle',
  },
  en: {
    title: 'Home',
    lead: 'What waits for whoever operates the service.',
    attention: 'To look at',
    nothing: 'Nothing wants your attention',
    nothingWhy: 'Files came, no payment is unknown, and sweeps are on time.',
    suspense: (count) => (count === 1 ? '1 unknown payment' : `${count} unknown payments`),
    lateFile: (rail) => `The file of ${rail} is missing`,
    lastFile: (day) => `the last one is of ${day}`,
    sweeps: (count) => (count === 1 ? '1 sweep is behind' : `${count} sweeps are behind`),
    mails: (count) =>
      count === 1 ? '1 mail could not be delivered' : `${count} mails could not be delivered`,
    payouts: (count) =>
      count === 1 ? '1 payout waits for approval' : `${count} payouts wait for approval`,
    corrections: (count) =>
      count === 1 ? '1 correction waits for approval' : `${count} corrections wait for approval`,
    looks: (count) =>
      count === 1
        ? '1 name or logo waits for approval'
        : `${count} names or logos wait for approval`,
    evidence: (count) =>
      count === 1 ? '1 dispute takes evidence' : `${count} disputes take evidence`,
    evidenceUntil: (first) => `the first until ${first}`,
    alarms: (count) => (count === 1 ? '1 alarm about money' : `${count} alarms about money`),
    what: 'What',
    detail: 'Detail',
  },
};
