import type { Lang } from '../../platform/pages/model.ts';
import type { BatchState } from '../../qr/index.ts';

interface QrTexts {
  title: string;
  lead: string;
  wall: {
    title: string;
    lead: string;
    none: string;
    noneWhy: string;
    open: string;
    closed: string;
  };
  filters: Record<'text' | 'hint' | 'state' | 'all', string>;
  list: Record<
    'payer' | 'id' | 'amount' | 'due' | 'state' | 'reference' | 'caption' | 'name',
    string
  >;
  none: string;
  noneWhy: string;
  notFound: string;
  goOn: string;
  actions: Record<'create' | 'createWall' | 'sheet' | 'uploads' | 'edit' | 'remove', string>;
  image: (id: string) => string;
  images: Record<'png' | 'svg' | 'sheet', string>;
  facts: Record<
    | 'id'
    | 'payer'
    | 'description'
    | 'first'
    | 'second'
    | 'reference'
    | 'city'
    | 'kind'
    | 'many'
    | 'created'
    | 'payments'
    | 'paid',
    string
  >;
  yes: string;
  no: string;
  remove: { title: string; lead: string; submit: string };
  refused: string;
  sheet: { title: string; lead: string; since: string; sinceHint: string; submit: string };
  uploads: {
    title: string;
    lead: string;
    file: string;
    hint: string;
    missing: string;
    submit: string;
    previous: string;
    none: string;
    id: (id: number) => string;
    states: Record<BatchState, string>;
    of: (done: number, all: number) => string;
    look: string;
    rejectedRows: string;
    noRejected: string;
    partOf: (page: number, pages: number) => string;
  } & Record<'when' | 'state' | 'total' | 'created' | 'rejected' | 'row' | 'why', string>;
}

export const qrTexts: Readonly<Record<Lang, QrTexts>> = {
  es: {
    title: 'QR',
    lead: 'Códigos que se pagan con cualquier billetera: uno por pago, o los que cuelgan en la pared.',
    wall: {
      title: 'QR de mostrador',
      lead: 'Códigos fijos, para el mostrador o la pared: sirven para muchos pagos.',
      none: 'Todavía no hay QR de mostrador',
      noneWhy: 'Creá uno por caja, imprimilo y dejalo a la vista.',
      open: 'El pagador pone el importe',
      closed: 'El importe lo manda tu sistema',
    },
    filters: {
      text: 'Buscar',
      hint: 'Nombre, referencia o código',
      state: 'Estado',
      all: 'Todos',
    },
    list: {
      payer: 'Para quién',
      id: 'Código',
      amount: 'Importe',
      due: 'Vence',
      state: 'Estado',
      reference: 'Referencia',
      caption: 'QR, del más nuevo al más viejo',
      name: 'Nombre',
    },
    none: 'Todavía no hay QR',
    noneWhy: 'Creá uno, subí un archivo con muchos, o hacelo por la API.',
    notFound: 'Ningún QR coincide con lo que buscás',
    goOn: 'Miramos los más nuevos. Con «Siguiente» seguimos buscando en los anteriores.',
    actions: {
      create: 'Nuevo QR',
      createWall: 'Nuevo QR de mostrador',
      sheet: 'Imprimir',
      uploads: 'Subir un archivo',
      edit: 'Cambiar',
      remove: 'Eliminar',
    },
    image: (id) => `Código QR ${id}`,
    images: { png: 'Bajar PNG', svg: 'Bajar SVG', sheet: 'Hoja para imprimir' },
    facts: {
      id: 'Código',
      payer: 'Para quién',
      description: 'Concepto',
      first: 'Vencimiento',
      second: 'Segundo vencimiento',
      reference: 'Referencia',
      city: 'Ciudad',
      kind: 'Importe',
      many: 'Muchos pagos',
      created: 'Creado',
      payments: 'Pagos',
      paid: 'Último pago',
    },
    yes: 'Sí',
    no: 'No',
    remove: {
      title: '¿Eliminar este QR?',
      lead: 'Nadie va a poder pagarlo, y no se puede volver atrás.',
      submit: 'Eliminar el QR',
    },
    refused: 'Este QR ya se pagó, venció, se eliminó o se está pagando ahora: no se puede cambiar.',
    sheet: {
      title: 'Imprimir QR',
      lead: 'Baja una hoja con los QR que se pueden pagar hoy, doce por página A4, para imprimir y recortar.',
      since: 'Creados desde',
      sinceHint: 'Vacío, todos los que se pueden pagar.',
      submit: 'Bajar la hoja',
    },
    uploads: {
      title: 'Subir QR',
      lead: 'Un archivo con muchos QR: los creamos de fondo y te decimos qué pasó con cada uno.',
      file: 'Archivo',
      hint: 'CSV o XLSX con las columnas código, pagador, concepto, importe, vencimiento y ciudad, o el JSON de la API; hasta 100.000 filas y 16 MB.',
      missing: 'Elegí un archivo para subir.',
      submit: 'Subir y crear',
      previous: 'Archivos subidos',
      none: 'Todavía no subiste ningún archivo.',
      id: (id) => `Archivo ${id}`,
      states: {
        waiting_upload: 'Esperando el archivo',
        uploading: 'Subiendo',
        processing: 'Creando',
        completed: 'Terminado',
        failed: 'No se pudo leer',
      },
      of: (done, all) => `${done} de ${all}`,
      look: 'Volver a mirar',
      rejectedRows: 'Filas rechazadas',
      noRejected: 'Ninguna fila de esta parte se rechazó.',
      partOf: (page, pages) => `Parte ${page} de ${pages}`,
      when: 'Subido',
      state: 'Estado',
      total: 'Filas',
      created: 'Creados',
      rejected: 'Rechazados',
      row: 'Ítem, sin contar los títulos',
      why: 'Por qué',
    },
  },
  en: {
    title: 'QR',
    lead: 'Codes that any wallet pays: one for each payment, or those on the wall.',
    wall: {
      title: 'Counter QRs',
      lead: 'Codes that stay, for the counter or the wall: they take many payments.',
      none: 'There are no counter QRs yet',
      noneWhy: 'Create one for each till, print it and hang it up.',
      open: 'The payer writes the amount',
      closed: 'Your system asks for the amount',
    },
    filters: { text: 'Search', hint: 'Name, reference or code', state: 'State', all: 'All' },
    list: {
      payer: 'For whom',
      id: 'Code',
      amount: 'Amount',
      due: 'Due',
      state: 'State',
      reference: 'Reference',
      caption: 'QRs, the newest first',
      name: 'Name',
    },
    none: 'There are no QRs yet',
    noneWhy: 'Create one, upload a file with many, or do it over the API.',
    notFound: 'No QR is what you look for',
    goOn: 'The newest were looked at. “Next” goes on with those before.',
    actions: {
      create: 'New QR',
      createWall: 'New counter QR',
      sheet: 'Print',
      uploads: 'Upload a file',
      edit: 'Change',
      remove: 'Delete',
    },
    image: (id) => `QR code ${id}`,
    images: { png: 'Download PNG', svg: 'Download SVG', sheet: 'Sheet to print' },
    facts: {
      id: 'Code',
      payer: 'For whom',
      description: 'Description',
      first: 'Due',
      second: 'Second due',
      reference: 'Reference',
      city: 'City',
      kind: 'Amount',
      many: 'Many payments',
      created: 'Created',
      payments: 'Payments',
      paid: 'Last paid',
    },
    yes: 'Yes',
    no: 'No',
    remove: {
      title: 'Delete this QR?',
      lead: 'Nobody will be able to pay it, for good.',
      submit: 'Delete the QR',
    },
    refused: 'This QR was paid, expired or deleted, or is being paid now: it cannot be changed.',
    sheet: {
      title: 'Print QRs',
      lead: 'Downloads a sheet with the QRs that can be paid today, twelve on an A4 page, to print and cut.',
      since: 'Created from',
      sinceHint: 'Empty: all that can be paid.',
      submit: 'Download the sheet',
    },
    uploads: {
      title: 'Upload QRs',
      lead: 'A file with many QRs: they are created behind, and you are told what became of each.',
      file: 'File',
      hint: 'CSV or XLSX with the columns id, payer_name, description, first_total, first_due_date and city, or the JSON of the API; up to 100,000 rows and 16 MB.',
      missing: 'Choose a file to upload.',
      submit: 'Upload and create',
      previous: 'Uploaded files',
      none: 'No file was uploaded yet.',
      id: (id) => `File ${id}`,
      states: {
        waiting_upload: 'Waits for its file',
        uploading: 'Uploading',
        processing: 'Creating',
        completed: 'Done',
        failed: 'Could not be read',
      },
      of: (done, all) => `${done} of ${all}`,
      look: 'Look again',
      rejectedRows: 'Rejected rows',
      noRejected: 'No row of this part was rejected.',
      partOf: (page, pages) => `Part ${page} of ${pages}`,
      when: 'Uploaded',
      state: 'State',
      total: 'Rows',
      created: 'Created',
      rejected: 'Rejected',
      row: 'Item, headings not counted',
      why: 'Why',
    },
  },
};
