import type { Lang } from './model.ts';

/** What all pages say in one language: their frame, and how days are written. */
interface FrameWords {
  readonly months: readonly string[];
  readonly day: (day: number, month: string, year: number) => string;
  readonly otherLanguage: string;
  readonly cuit: string;
  readonly sandboxNotice: string;
  readonly processedBy: (issuer: string) => string;
  readonly neverAsk: string;
}

/** Argentine Spanish, as people are spoken to here, and English. */
export const frameWords: Readonly<Record<Lang, FrameWords>> = {
  es: {
    months: [
      'enero',
      'febrero',
      'marzo',
      'abril',
      'mayo',
      'junio',
      'julio',
      'agosto',
      'septiembre',
      'octubre',
      'noviembre',
      'diciembre',
    ],
    day: (day, month, year) => `${day} de ${month} de ${year}`,
    otherLanguage: 'English',
    cuit: 'CUIT',
    sandboxNotice: 'Ambiente de prueba: acá no se mueve dinero.',
    processedBy: (issuer) => `Cobro de ${issuer}, procesado por Recaudo.`,
    neverAsk: 'Nunca te pedimos la clave de tu banco ni códigos que te lleguen por mensaje.',
  },
  en: {
    months: [
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
    ],
    day: (day, month, year) => `${day} ${month} ${year}`,
    otherLanguage: 'Español',
    cuit: 'Tax ID (CUIT)',
    sandboxNotice: 'Test environment: no money moves here.',
    processedBy: (issuer) => `Collected for ${issuer}, processed by Recaudo.`,
    neverAsk: 'We never ask for your bank password or for codes sent to your phone.',
  },
};
