import type { Lang } from '../model.ts';

/** What components say by themselves; everything else is told to them. */
interface ComponentWords {
  readonly filter: string;
  readonly moreFilters: string;
  readonly filteredBy: string;
  readonly remove: (label: string) => string;
  readonly clear: string;
  readonly optional: string;
  readonly faults: (count: number) => string;
  readonly sortBy: string;
  readonly ascending: string;
  readonly descending: string;
  readonly pages: string;
  readonly first: string;
  readonly previous: string;
  readonly next: string;
  readonly asTable: string;
  readonly dropHere: string;
  readonly cancel: string;
  readonly close: string;
  readonly choose: string;
  readonly copy: string;
  readonly copied: string;
}

export const componentWords: Readonly<Record<Lang, ComponentWords>> = {
  es: {
    filter: 'Filtrar',
    moreFilters: 'Más filtros',
    filteredBy: 'Filtros aplicados',
    remove: (label) => `Quitar ${label}`,
    clear: 'Quitar todos',
    optional: '(opcional)',
    faults: (count) =>
      count === 1 ? 'Hay un dato para corregir' : `Hay ${count} datos para corregir`,
    sortBy: 'Ordenar por',
    ascending: 'de menor a mayor',
    descending: 'de mayor a menor',
    pages: 'Páginas',
    first: 'Principio',
    previous: 'Anterior',
    next: 'Siguiente',
    asTable: 'Ver los números en una tabla',
    dropHere: 'También podés arrastrar el archivo hasta acá.',
    cancel: 'Cancelar',
    close: 'Cerrar',
    choose: 'Elegí una opción',
    copy: 'Copiar',
    copied: 'Copiado',
  },
  en: {
    filter: 'Filter',
    moreFilters: 'More filters',
    filteredBy: 'Filters in use',
    remove: (label) => `Remove ${label}`,
    clear: 'Remove all',
    optional: '(optional)',
    faults: (count) =>
      count === 1 ? 'There is one thing to correct' : `There are ${count} things to correct`,
    sortBy: 'Sort by',
    ascending: 'lowest first',
    descending: 'highest first',
    pages: 'Pages',
    first: 'First',
    previous: 'Previous',
    next: 'Next',
    asTable: 'See the numbers in a table',
    dropHere: 'You can also drag the file here.',
    cancel: 'Cancel',
    close: 'Close',
    choose: 'Choose one',
    copy: 'Copy',
    copied: 'Copied',
  },
};
