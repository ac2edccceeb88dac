import type { Lang } from '../../platform/pages/model.ts';

interface HomeTexts {
  readonly title: string;
  readonly attention: string;
  readonly nothing: string;
  readonly rejected: (count: number) => string;
  readonly disputed: (count: number) => string;
  readonly evidence: (count: number, first: string) => string;
  readonly unsigned: (count: number) => string;
  readonly refunds: (count: number) => string;
  readonly webhook: (failures: number) => string;
  readonly lateFile: (rail: string, day: string) => string;
  readonly money: string;
  readonly available: string;
  readonly toCome: string;
  readonly toComeNone: string;
  readonly next: (day: string) => string;
  readonly today: string;
  readonly thisMonth: string;
  readonly payments: (count: number) => string;
  readonly against: (soFar: string, whole: string) => string;
  readonly toComeByDay: string;
  readonly day: string;
  readonly count: string;
  readonly amount: string;
  readonly total: string;
  readonly others: string;
  readonly collected: string;
  readonly byDay: string;
  readonly byDayDescription: string;
  readonly growth: string;
  readonly growthDescription: string;
  readonly noneYet: string;
  readonly noneYetWhy: string;
  readonly monthNow: string;
  readonly monthBefore: string;
}

const counted = (count: number): string => (count >= 1_000 ? '1.000+' : String(count));

export const homeTexts: Readonly<Record<Lang, HomeTexts>> = {
  es: {
    title: 'Inicio',
    attention: 'Para mirar',
    nothing: 'No hay nada que pida tu atención.',
    rejected: (count) =>
      count === 1
        ? 'En los últimos 7 días se rechazó 1 débito.'
        : `En los últimos 7 días se rechazaron ${counted(count)} débitos.`,
    disputed: (count) =>
      count === 1
        ? 'En los últimos 7 días un titular desconoció 1 pago.'
        : `En los últimos 7 días los titulares desconocieron ${counted(count)} pagos.`,
    evidence: (count, first) =>
      count === 1
        ? `Hay 1 disputa que espera pruebas, hasta el ${first}.`
        : `Hay ${counted(count)} disputas que esperan pruebas, la primera hasta el ${first}.`,
    unsigned: (count) =>
      count === 1
        ? 'Hay 1 adhesión sin firmar que vence en los próximos 3 días.'
        : `Hay ${counted(count)} adhesiones sin firmar que vencen en los próximos 3 días.`,
    refunds: (count) =>
      count === 1
        ? 'Hay 1 devolución que espera tu aprobación.'
        : `Hay ${counted(count)} devoluciones que esperan tu aprobación.`,
    webhook: (failures) => `Tu webhook no responde desde hace ${failures} intentos seguidos:`,
    lateFile: (rail, day) =>
      `Desde el ${day} no llegan archivos de ${rail}: puede faltar registrar pagos.`,
    money: 'Tu dinero',
    available: 'Disponible',
    toCome: 'A disponibilizarse',
    toComeNone: 'Nada en camino',
    next: (day) => `Lo próximo, el ${day}`,
    today: 'Cobrado hoy',
    thisMonth: 'Cobrado este mes',
    payments: (count) => (count === 1 ? '1 pago' : `${count} pagos`),
    against: (soFar, whole) => `Mes anterior a esta altura: ${soFar}; completo: ${whole}`,
    toComeByDay: 'Qué día se disponibiliza',
    day: 'Día',
    count: 'Pagos',
    amount: 'Importe',
    total: 'Total',
    others: 'Otros',
    collected: 'Lo cobrado',
    byDay: 'Cobrado por día y canal, últimos 30 días',
    byDayDescription: 'Una barra por día; cada color es un canal.',
    growth: 'Cobrado en el mes, acumulado',
    growthDescription: 'La línea llena es este mes; la de trazos, el mes anterior.',
    noneYet: 'Todavía no hay cobros en los últimos dos meses',
    noneYetWhy: 'Acá vas a ver lo cobrado por día y por canal.',
    monthNow: 'Este mes',
    monthBefore: 'Mes anterior',
  },
  en: {
    title: 'Home',
    attention: 'To look at',
    nothing: 'Nothing wants your attention.',
    rejected: (count) =>
      count === 1
        ? '1 debit was rejected in the last 7 days.'
        : `${counted(count)} debits were rejected in the last 7 days.`,
    disputed: (count) =>
      count === 1
        ? '1 payment was charged back in the last 7 days.'
        : `${counted(count)} payments were charged back in the last 7 days.`,
    evidence: (count, first) =>
      count === 1
        ? `1 dispute takes evidence, until ${first}.`
        : `${counted(count)} disputes take evidence, the first until ${first}.`,
    unsigned: (count) =>
      count === 1
        ? '1 mandate ends unsigned within 3 days.'
        : `${counted(count)} mandates end unsigned within 3 days.`,
    refunds: (count) =>
      count === 1
        ? '1 refund waits for your approval.'
        : `${counted(count)} refunds wait for your approval.`,
    webhook: (failures) => `Your webhook has not answered for ${failures} tries in a row:`,
    lateFile: (rail, day) => `No file of ${rail} has come since ${day}: payments may be missing.`,
    money: 'Your money',
    available: 'Available',
    toCome: 'To come',
    toComeNone: 'Nothing on its way',
    next: (day) => `The next on ${day}`,
    today: 'Collected today',
    thisMonth: 'Collected this month',
    payments: (count) => (count === 1 ? '1 payment' : `${count} payments`),
    against: (soFar, whole) => `Last month by this day: ${soFar}; whole: ${whole}`,
    toComeByDay: 'The day on which it becomes available',
    day: 'Day',
    count: 'Payments',
    amount: 'Amount',
    total: 'Total',
    others: 'Others',
    collected: 'What was collected',
    byDay: 'Collected by day and channel, last 30 days',
    byDayDescription: 'A bar for each day; each colour is a channel.',
    growth: 'Collected in the month, running',
    growthDescription: 'The full line is this month; the dashed one the month before.',
    noneYet: 'Nothing was collected in the last two months',
    noneYetWhy: 'What is collected by day and channel will stand here.',
    monthNow: 'This month',
    monthBefore: 'Last month',
  },
};
