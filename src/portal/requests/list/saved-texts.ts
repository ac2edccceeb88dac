import type { Lang } from '../../../platform/pages/model.ts';

interface SavedTexts {
  readonly title: string;
  readonly lead: string;
  readonly manage: string;
  readonly keep: string;
  readonly submit: string;
  readonly name: string;
  readonly nameFault: string;
  readonly queryFault: string;
  readonly many: string;
  readonly none: string;
  readonly noneWhy: string;
  readonly forget: string;
  readonly forgetOne: (name: string) => string;
}

export const savedTexts: Readonly<Record<Lang, SavedTexts>> = {
  es: {
    title: 'Filtros guardados',
    lead: 'Son tuyos, en esta cuenta: nadie más los ve.',
    manage: 'Administrar filtros',
    keep: 'Guardar este filtro',
    submit: 'Guardar',
    name: 'Nombre del filtro',
    nameFault: 'Escribí un nombre de 1 a 60 caracteres.',
    queryFault: 'No hay ningún filtro para guardar: elegí uno en la lista primero.',
    many: 'Ya tenés 20 filtros guardados: quitá uno primero.',
    none: 'Todavía no guardaste filtros',
    noneWhy: 'Filtrá la lista de cobros, y guardá lo que busques seguido.',
    forget: 'Quitar',
    forgetOne: (name) => `Quitar ${name}`,
  },
  en: {
    title: 'Saved filters',
    lead: 'They are yours, in this account: nobody else sees them.',
    manage: 'Manage filters',
    keep: 'Save this filter',
    submit: 'Save',
    name: 'Name of the filter',
    nameFault: 'Enter a name of 1 to 60 characters.',
    queryFault: 'There is no filter to save: choose one in the list first.',
    many: 'You have 20 saved filters already: remove one first.',
    none: 'You saved no filters yet',
    noneWhy: 'Filter the list of requests, and save what you look for often.',
    forget: 'Remove',
    forgetOne: (name) => `Remove ${name}`,
  },
};
