import type { Lang } from '../../../platform/pages/model.ts';
import type { Preview, RailFile } from '../../../rails/index.ts';

type Line = Preview['remarked'][number];

/** Who sends or takes a file, by the name of its rail. */
const rails: Readonly<Record<Lang, Readonly<Record<string, string>>>> = {
  es: {
    'pago-facil': 'Pago Fácil',
    rapipago: 'Rapipago',
    pmc: 'Pago Mis Cuentas',
    link: 'Link Pagos',
    'direct-debit-350': 'Débito directo, 350',
    'direct-debit-220': 'Débito directo, 220',
    'cards-csv': 'Tarjetas, intercambio CSV',
    'cards-json': 'Tarjetas, intercambio JSON',
    debliqc: 'Visa crédito (DEBLIQC)',
    debliqd: 'Visa Débito (DEBLIQD)',
    deblimc: 'Mastercard (DEBLIMC)',
    rdebliqc: 'Visa crédito (RDEBLIQC)',
    rdeblimc: 'Mastercard (RDEBLIMC)',
    rdebliqd: 'Visa Débito, validado (RDEBLIQD)',
    ldebliqd: 'Visa Débito, liquidado (LDEBLIQD)',
  },
  en: {
    'pago-facil': 'Pago Fácil',
    rapipago: 'Rapipago',
    pmc: 'Pago Mis Cuentas',
    link: 'Link Pagos',
    'direct-debit-350': 'Direct debit, 350',
    'direct-debit-220': 'Direct debit, 220',
    'cards-csv': 'Cards, exchange as CSV',
    'cards-json': 'Cards, exchange as JSON',
    debliqc: 'Visa credit (DEBLIQC)',
    debliqd: 'Visa Débito (DEBLIQD)',
    deblimc: 'Mastercard (DEBLIMC)',
    rdebliqc: 'Visa credit (RDEBLIQC)',
    rdeblimc: 'Mastercard (RDEBLIMC)',
    rdebliqd: 'Visa Débito, validated (RDEBLIQD)',
    ldebliqd: 'Visa Débito, settled (LDEBLIQD)',
  },
};

export const railText = (lang: Lang, rail: string): string => rails[lang][rail] ?? rail;

/** What a line was taken for. */
export const outcomeTexts: Readonly<Record<Lang, Readonly<Record<Line['outcome'], string>>>> = {
  es: {
    collected: 'Cobros',
    suspense: 'Sin identificar',
    paid: 'Débitos pagados',
    rejected: 'Débitos rechazados',
    retried: 'Rechazados, se intentan otra vez',
    in_process: 'En proceso',
    reversed: 'Reversados por el titular',
    mandate_closed: 'Adhesiones dadas de baja',
    instrument_changed: 'Cuentas o tarjetas cambiadas',
    known: 'Ya informados antes',
    unmatched: 'De nada que se conozca',
    notice: 'Avisos',
  },
  en: {
    collected: 'Collections',
    suspense: 'Unknown',
    paid: 'Debits paid',
    rejected: 'Debits rejected',
    retried: 'Rejected, to be tried again',
    in_process: 'In process',
    reversed: 'Taken back by the holder',
    mandate_closed: 'Mandates ended',
    instrument_changed: 'Accounts or cards changed',
    known: 'Told before',
    unmatched: 'Of nothing that is known',
    notice: 'Notices',
  },
};

/** What is remarked of a line. */
export const remarkTexts: Readonly<
  Record<Lang, Readonly<Record<Line['remarks'][number], string>>>
> = {
  es: {
    late: 'pagado después del vencimiento',
    duplicate: 'ya estaba pagado',
    amount_differs: 'otro importe',
    unreadable_code: 'código ilegible',
    control_characters: 'código con caracteres de control',
    unknown_request: 'no es de ningún cobro',
    unknown_reference: 'no es de ningún débito',
    unknown_mandate: 'no es de ninguna adhesión',
    told_before: 'ya informado',
    contradicts: 'contradice lo ya informado',
    unclear: 'dice aprobado y rechazado a la vez',
    not_paid: 'no estaba pagado',
    closes_mandate: 'da de baja la adhesión',
    new_instrument: 'cambia la cuenta o tarjeta',
    unusable_instrument: 'cuenta o tarjeta inválida',
    notice: 'aviso',
  },
  en: {
    late: 'paid past its due day',
    duplicate: 'was paid before',
    amount_differs: 'another amount',
    unreadable_code: 'unreadable code',
    control_characters: 'control characters after the code',
    unknown_request: 'of no request',
    unknown_reference: 'of no debit',
    unknown_mandate: 'of no mandate',
    told_before: 'told before',
    contradicts: 'contradicts what was told',
    unclear: 'says both approved and rejected',
    not_paid: 'was not paid',
    closes_mandate: 'ends the mandate',
    new_instrument: 'changes the account or card',
    unusable_instrument: 'unusable account or card',
    notice: 'notice',
  },
};

/** How a file stands. */
export const stateTexts: Readonly<Record<Lang, Readonly<Record<RailFile['state'], string>>>> = {
  es: { importing: 'Importándose', imported: 'Importado', exported: 'Preparado' },
  en: { importing: 'Being imported', imported: 'Imported', exported: 'Prepared' },
};
