import type { Lang } from '../../platform/pages/model.ts';

interface CallTexts {
  title: string;
  lead: string;
  fields: Record<'text' | 'status' | 'key' | 'from' | 'to' | 'method', string>;
  any: string;
  statuses: Record<200 | 400 | 500, string>;
  columns: Record<'when' | 'call' | 'status' | 'ms' | 'key', string>;
  requestId: string;
  givenUp: string;
  noKey: string;
  leftOut: (calls: string) => string;
  leftOutWhy: string;
  none: string;
  noneWhy: string;
  noneFound: string;
  noneFoundWhy: string;
  faults: Record<'day' | 'order' | 'status' | 'key' | 'method', string>;
}

export const callTexts: Readonly<Record<Lang, CallTexts>> = {
  es: {
    title: 'Registro de llamadas',
    lead: 'Lo que tus programas llamaron en los últimos 14 días: las 100.000 llamadas más nuevas, sin lo que enviaron ni lo que se les respondió.',
    fields: {
      text: 'Ruta o Request-Id',
      status: 'Respuesta',
      key: 'Clave',
      from: 'Desde',
      to: 'Hasta',
      method: 'Método',
    },
    any: 'Cualquiera',
    statuses: {
      200: 'Bien (200 a 299)',
      400: 'Rechazadas (400 a 499)',
      500: 'Con error nuestro (500 a 599)',
    },
    columns: { when: 'Cuándo', call: 'Llamada', status: 'Respuesta', ms: 'ms', key: 'Clave' },
    requestId: 'Request-Id',
    givenUp: '499: no esperó la respuesta',
    noKey: 'ya no existe',
    leftOut: (calls) => `${calls} llamadas no están en el registro`,
    leftOutWhy: 'Con mucha carga se atienden las llamadas antes que anotarlas.',
    none: 'Todavía no hay llamadas',
    noneWhy: 'Acá van a aparecer las que tus programas hagan con una clave de API.',
    noneFound: 'No encontramos llamadas',
    noneFoundWhy: 'Probá con menos filtros.',
    faults: {
      day: 'Escribí un día, como 05/12/2026.',
      order: 'Tiene que ser el mismo día o uno posterior.',
      status: 'Elegí una respuesta de la lista, o escribí un número de 100 a 599.',
      key: 'Elegí una clave de la lista.',
      method: 'Elegí un método de la lista.',
    },
  },
  en: {
    title: 'Request log',
    lead: 'What your programs called in the last 14 days: the newest 100,000 calls, without what they sent or were answered.',
    fields: {
      text: 'Path or Request-Id',
      status: 'Answer',
      key: 'Key',
      from: 'From',
      to: 'To',
      method: 'Method',
    },
    any: 'Any',
    statuses: {
      200: 'Fine (200 to 299)',
      400: 'Refused (400 to 499)',
      500: 'Our errors (500 to 599)',
    },
    columns: { when: 'When', call: 'Call', status: 'Answer', ms: 'ms', key: 'Key' },
    requestId: 'Request-Id',
    givenUp: '499: did not wait for the answer',
    noKey: 'is gone',
    leftOut: (calls) => `${calls} calls are not in the log`,
    leftOutWhy: 'Under load calls are answered before they are written down.',
    none: 'There are no calls yet',
    noneWhy: 'Those that your programs make with an API key will appear here.',
    noneFound: 'We found no calls',
    noneFoundWhy: 'Try with fewer filters.',
    faults: {
      day: 'Enter a day, such as 2026-12-05.',
      order: 'It must be the same day or a later one.',
      status: 'Choose an answer of the list, or enter a number from 100 to 599.',
      key: 'Choose a key of the list.',
      method: 'Choose a method of the list.',
    },
  },
};
