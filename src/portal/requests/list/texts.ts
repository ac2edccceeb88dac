import type { Lang } from '../../../platform/pages/model.ts';
import type { FilterName } from './query.ts';

interface ListTexts {
  readonly title: string;
  readonly lead: string;
  readonly create: string;
  readonly caption: string;
  readonly filters: Readonly<Record<FilterName, string>>;
  readonly searchHint: string;
  readonly anyState: string;
  readonly anyChannel: string;
  readonly payer: string;
  readonly concept: string;
  readonly due: string;
  readonly state: string;
  readonly amount: string;
  readonly none: string;
  readonly noneWhy: string;
  readonly noneFound: string;
  readonly noneFoundWhy: string;
  readonly faulty: string;
  readonly faultyWhy: string;
  readonly all: string;
  readonly download: string;
  readonly workbook: string;
}

export const listTexts: Readonly<Record<Lang, ListTexts>> = {
  es: {
    title: 'Cobros',
    lead: 'Los cobros de la cuenta: buscalos, miralos por dentro y descargalos.',
    create: 'Nuevo cobro',
    caption: 'Cobros',
    filters: {
      q: 'Buscar',
      state: 'Estado',
      created_at_gte: 'Creado desde',
      created_at_lte: 'Creado hasta',
      first_due_date_gte: 'Vence desde',
      first_due_date_lte: 'Vence hasta',
      first_total_gte: 'Importe desde',
      first_total_lte: 'Importe hasta',
      channel: 'Pagado por',
      external_reference: 'Tu referencia, completa',
    },
    searchHint: 'Comienzo de nombre, concepto, correo o referencia; o el número.',
    anyState: 'Todos',
    anyChannel: 'Cualquier medio',
    payer: 'Pagador',
    concept: 'Concepto',
    due: 'Vence',
    state: 'Estado',
    amount: 'Importe',
    none: 'Todavía no hay cobros',
    noneWhy: 'Un cobro es lo que le pedís a alguien que te pague, con su enlace, su cupón y su QR.',
    noneFound: 'No hay cobros así',
    noneFoundWhy: 'Probá con menos filtros, o con el comienzo de otra palabra.',
    faulty: 'Hay un filtro para corregir',
    faultyWhy: 'Corregilo arriba y volvé a filtrar.',
    all: 'Ver todos los cobros',
    download: 'Descargar CSV',
    workbook: 'Descargar XLSX',
  },
  en: {
    title: 'Payment requests',
    lead: 'The payment requests of the account: search them, look into them, download them.',
    create: 'New request',
    caption: 'Payment requests',
    filters: {
      q: 'Search',
      state: 'State',
      created_at_gte: 'Created from',
      created_at_lte: 'Created until',
      first_due_date_gte: 'Due from',
      first_due_date_lte: 'Due until',
      first_total_gte: 'Amount from',
      first_total_lte: 'Amount up to',
      channel: 'Paid by',
      external_reference: 'Your reference, whole',
    },
    searchHint: 'Beginning of name, concept, e-mail or reference; or the number.',
    anyState: 'All',
    anyChannel: 'Any channel',
    payer: 'Payer',
    concept: 'Concept',
    due: 'Due',
    state: 'State',
    amount: 'Amount',
    none: 'There are no payment requests yet',
    noneWhy: 'A request is what you ask somebody to pay, with its link, its coupon and its QR.',
    noneFound: 'There are no such requests',
    noneFoundWhy: 'Try fewer filters, or the beginning of another word.',
    faulty: 'A filter has to be corrected',
    faultyWhy: 'Correct it above and filter again.',
    all: 'See all requests',
    download: 'Download CSV',
    workbook: 'Download XLSX',
  },
};
