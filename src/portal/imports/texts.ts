// Longer than 300 lines: the words of one page, in both languages.
import type { Import, KindName, Note } from '../../imports/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

export interface ImportTexts {
  title: string;
  lead: string;
  upload: {
    title: string;
    kind: string;
    file: string;
    hint: string;
    submit: string;
    missing: string;
    unknownKind: string;
  };
  /** What rows become. */
  kinds: Record<KindName, string>;
  list: Record<'title' | 'file' | 'kind' | 'state' | 'rows' | 'created' | 'when', string>;
  empty: string;
  states: Record<Import['state'], string>;
  notes: (note: Note) => string;
  sameFile: (id: number) => string;
  figures: Record<
    'rows' | 'sound' | 'faulty' | 'existing' | 'created' | 'rejected' | 'skipped' | 'withdrawn',
    string
  >;
  reading: Record<
    | 'title'
    | 'lead'
    | 'sheet'
    | 'firstSheet'
    | 'headings'
    | 'headingsHint'
    | 'found'
    | 'hidden'
    | 'submit',
    string
  > & { hiddenSheet: (name: string) => string; hiddenRows: (count: number) => string };
  match: {
    title: string;
    lead: string;
    none: string;
    submit: string;
    missing: (fields: string) => string;
    example: (value: string) => string;
  };
  faults: {
    title: string;
    row: string;
    field: string;
    cell: string;
    fault: string;
    whole: string;
    more: (count: number) => string;
    repeats: (id: number | null) => string;
  };
  preview: string;
  confirm: {
    title: string;
    lead: (count: number) => string;
    repeats: string;
    again: string;
    choices: string;
    without: (count: number) => string;
    submit: (count: number) => string;
    resume: string;
  };
  discard: string;
  progress: {
    running: string;
    undoing: string;
    of: (done: number, rows: number) => string;
    look: string;
  };
  mails: { waiting: (count: string, number: number) => string; until: (moment: string) => string };
  result: { title: string; lead: string; download: string; coupons: string; sheet: string };
  undo: { title: string; lead: string; ask: string; question: string; submit: string };
}

export const importTexts: Readonly<Record<Lang, ImportTexts>> = {
  es: {
    title: 'Emisión masiva',
    lead: 'Subí una planilla con una fila por pagador: la revisás antes de que se cree nada.',
    upload: {
      title: 'Subir una planilla',
      kind: 'Qué crea cada fila',
      file: 'Planilla',
      hint: 'CSV o XLSX, hasta 50.000 filas y 16 MB. La primera fila nombra las columnas.',
      submit: 'Subir y revisar',
      missing: 'Elegí una planilla para subir.',
      unknownKind: 'Elegí qué crea cada fila: es uno de la lista.',
    },
    kinds: {
      payment_request: 'Cobros',
      qr: 'QR',
      debit_request: 'Débitos en cuenta (CBU)',
      card_debit_request: 'Débitos en tarjeta',
      adhesion: 'Adhesiones (CBU)',
    },
    list: {
      title: 'Planillas subidas',
      file: 'Planilla',
      state: 'Estado',
      rows: 'Filas',
      kind: 'Qué crea',
      created: 'Creados',
      when: 'Subida',
    },
    empty: 'Todavía no subiste ninguna planilla.',
    states: {
      draft: 'Por confirmar',
      discarded: 'Descartada',
      running: 'Creando',
      completed: 'Terminada',
      failed: 'Detenida',
      undoing: 'Deshaciéndose',
      undone: 'Deshecha',
    },
    notes(note) {
      switch (note.what) {
        case 'totals':
          return `Dejamos afuera las filas de totales: ${note.rows.slice(0, 10).join(', ')}.`;
        case 'above':
          return note.rows === 1
            ? 'Dejamos afuera la primera fila, que está arriba de los títulos.'
            : `Dejamos afuera las ${note.rows} primeras filas, que están arriba de los títulos.`;
        case 'sheets':
          return note.name === undefined
            ? `Leímos la primera hoja visible; el archivo tiene ${note.others} más.`
            : `Leímos la hoja «${note.name}»; el archivo tiene ${note.others} más.`;
        case 'hidden':
          return note.rows.length === 1
            ? `Dejamos afuera una fila oculta, la ${note.rows[0]}. Si va, elegilo en «Cómo la leímos».`
            : `Dejamos afuera ${note.rows.length} filas ocultas (${note.rows.slice(0, 10).join(', ')}). Si van, elegilo en «Cómo la leímos».`;
        case 'encoding':
          return `Leímos las letras como ${note.encoding}: fijate que los acentos estén bien.`;
        case 'same_name':
          return `Hay más de una columna que se llama «${note.name}»: elegí cuál es cada una.`;
      }
    },
    sameFile: (id) => `Esta misma planilla ya se importó (número ${id}).`,
    figures: {
      rows: 'Filas',
      sound: 'Sin errores',
      faulty: 'Con errores',
      existing: 'Con referencia repetida',
      created: 'Creados',
      rejected: 'Rechazados',
      skipped: 'Salteados',
      withdrawn: 'Retirados',
    },
    reading: {
      title: 'Cómo la leímos',
      lead: 'Si no es lo que esperabas, elegí otra hoja u otra fila de títulos y la leemos de nuevo.',
      sheet: 'Hoja',
      firstSheet: 'La primera visible',
      hiddenSheet: (name) => `${name} (oculta)`,
      headings: 'Fila de títulos',
      headingsHint: 'La que nombra las columnas. Las de arriba quedan afuera.',
      found: 'La que encontremos',
      hidden: 'Filas ocultas',
      hiddenRows: (count) =>
        count === 1 ? 'Leer también la fila oculta' : `Leer también las ${count} filas ocultas`,
      submit: 'Leer de nuevo',
    },
    match: {
      title: 'Columnas',
      lead: 'Decinos qué columna es cada dato. Lo recordamos para la próxima planilla.',
      none: 'Ninguna',
      submit: 'Guardar y volver a revisar',
      missing: (fields) => `Falta elegir la columna de: ${fields}.`,
      example: (value) => `Por ejemplo: ${value}`,
    },
    faults: {
      title: 'Filas para mirar',
      row: 'Fila',
      field: 'Dato',
      cell: 'La planilla dice',
      fault: 'Qué pasa',
      whole: 'Toda la fila',
      more: (count) => `Mostramos las primeras ${count}. El resultado las tiene todas.`,
      repeats: (id) =>
        id === null
          ? 'Repite la referencia de una fila de más arriba.'
          : `El número ${id} ya tiene esta referencia.`,
    },
    preview: 'Las primeras filas',
    confirm: {
      title: 'Confirmar',
      lead: (count) => `Filas que se crean: ${count}. Las que tienen errores quedan afuera.`,
      without: (count) =>
        count === 1
          ? 'La fila con referencia repetida también, salvo que marques crearla.'
          : `Las ${count} con referencia repetida también, salvo que marques crearlas.`,
      repeats: 'Crear también las filas con referencia repetida',
      again: 'Sí, quiero importar otra vez la misma planilla',
      choices: 'Antes de crear',
      submit: (count) =>
        count === 0 ? 'Crear lo que marqué' : `Crear ${count} ${count === 1 ? 'fila' : 'filas'}`,
      resume: 'Seguir con lo que falta',
    },
    discard: 'Descartar la planilla',
    progress: {
      running: 'Estamos creando cada fila. Podés cerrar esta página: sigue solo.',
      undoing: 'Estamos retirando lo que se puede. Podés cerrar esta página: sigue solo.',
      of: (done, rows) => `${done} de ${rows} filas`,
      look: 'Actualizar',
    },
    mails: {
      waiting: (count, number) =>
        number === 1
          ? 'Falta enviar 1 correo a pagadores.'
          : `Faltan enviar ${count} correos a pagadores.`,
      until: (moment) => `Salen de a poco; el último, alrededor del ${moment}.`,
    },
    result: {
      title: 'Resultado',
      lead: 'Una planilla con cada fila, su número, sus enlaces o su error.',
      download: 'Bajar el resultado',
      coupons: 'Todos los cupones (PDF)',
      sheet: 'Hoja de QR para imprimir',
    },
    undo: {
      title: 'Deshacer',
      lead: 'Retira todo lo que nadie pagó, firmó ni está cobrándose. Lo demás queda como está. No se puede volver atrás.',
      ask: 'Deshacer esta importación',
      question: '¿Deshacer esta importación?',
      submit: 'Sí, retirar',
    },
  },
  en: {
    title: 'Imports',
    lead: 'Upload a spreadsheet with one row for each payer: you look at it before anything is created.',
    upload: {
      title: 'Upload a spreadsheet',
      kind: 'What each row becomes',
      file: 'Spreadsheet',
      hint: 'CSV or XLSX, up to 50,000 rows and 16 MB. The first row names the columns.',
      submit: 'Upload and look',
      missing: 'Choose a spreadsheet to upload.',
      unknownKind: 'Choose what each row becomes: it is one of the list.',
    },
    kinds: {
      payment_request: 'Payment requests',
      qr: 'QRs',
      debit_request: 'Bank account debits (CBU)',
      card_debit_request: 'Card debits',
      adhesion: 'Mandates (CBU)',
    },
    list: {
      title: 'Uploaded spreadsheets',
      file: 'Spreadsheet',
      state: 'State',
      rows: 'Rows',
      kind: 'Becomes',
      created: 'Created',
      when: 'Uploaded',
    },
    empty: 'You have uploaded no spreadsheet yet.',
    states: {
      draft: 'To be confirmed',
      discarded: 'Discarded',
      running: 'Creating',
      completed: 'Completed',
      failed: 'Stopped',
      undoing: 'Being undone',
      undone: 'Undone',
    },
    notes(note) {
      switch (note.what) {
        case 'totals':
          return `Rows of totals are left out: ${note.rows.slice(0, 10).join(', ')}.`;
        case 'above':
          return note.rows === 1
            ? 'The first row stands above the headings and is left out.'
            : `The first ${note.rows} rows stand above the headings and are left out.`;
        case 'sheets':
          return note.name === undefined
            ? `The first visible sheet was read; the file has ${note.others} more.`
            : `The sheet “${note.name}” was read; the file has ${note.others} more.`;
        case 'hidden':
          return `Hidden rows are left out: ${note.rows.slice(0, 10).join(', ')}. If they belong to it, say so under “How it was read”.`;
        case 'encoding':
          return `The letters were read as ${note.encoding}: see that the accents are right.`;
        case 'same_name':
          return `More than one column is named “${note.name}”: say which is which.`;
      }
    },
    sameFile: (id) => `This very spreadsheet was imported before (number ${id}).`,
    figures: {
      rows: 'Rows',
      sound: 'Without faults',
      faulty: 'With faults',
      existing: 'With a reference that is there',
      created: 'Created',
      rejected: 'Rejected',
      skipped: 'Skipped',
      withdrawn: 'Withdrawn',
    },
    reading: {
      title: 'How it was read',
      lead: 'If this is not what you expected, choose another sheet or another row of headings.',
      sheet: 'Sheet',
      firstSheet: 'The first visible one',
      hiddenSheet: (name) => `${name} (hidden)`,
      headings: 'Row of headings',
      headingsHint: 'The one that names the columns. Rows above it are left out.',
      found: 'The one that is found',
      hidden: 'Hidden rows',
      hiddenRows: (count) =>
        count === 1 ? 'Also read the hidden row' : `Also read the ${count} hidden rows`,
      submit: 'Read again',
    },
    match: {
      title: 'Columns',
      lead: 'Say which column is which field. It is remembered for the next spreadsheet.',
      none: 'None',
      submit: 'Save and check again',
      missing: (fields) => `No column was chosen for: ${fields}.`,
      example: (value) => `For example: ${value}`,
    },
    faults: {
      title: 'Rows to look at',
      row: 'Row',
      field: 'Field',
      cell: 'The spreadsheet says',
      fault: 'What is wrong',
      whole: 'The whole row',
      more: (count) => `The first ${count} are shown. The result has all of them.`,
      repeats: (id) =>
        id === null
          ? 'Repeats the reference of a row above it.'
          : `Number ${id} has this reference already.`,
    },
    preview: 'The first rows',
    confirm: {
      title: 'Confirm',
      lead: (count) => `Rows that are created: ${count}. Those with faults are left out.`,
      without: (count) =>
        count === 1
          ? 'So is the one whose reference is there already, unless you ask for it.'
          : `So are the ${count} whose reference is there already, unless you ask for them.`,
      repeats: 'Also create rows whose reference is there already',
      again: 'Yes, import the same spreadsheet once more',
      choices: 'Before creating',
      submit: (count) =>
        count === 0 ? 'Create what I chose' : `Create ${count} ${count === 1 ? 'row' : 'rows'}`,
      resume: 'Go on with the rest',
    },
    discard: 'Discard the spreadsheet',
    progress: {
      running: 'The rows are being created. You can close this page: it goes on.',
      undoing: 'What can be is being withdrawn. You can close this page: it goes on.',
      of: (done, rows) => `${done} of ${rows} rows`,
      look: 'Look again',
    },
    mails: {
      waiting: (count, number) =>
        number === 1 ? '1 mail to a payer waits.' : `${count} mails to payers wait.`,
      until: (moment) => `They go by and by; the last one around ${moment}.`,
    },
    result: {
      title: 'Result',
      lead: 'A spreadsheet with each row, its number, its links or its fault.',
      download: 'Download the result',
      coupons: 'All coupons (PDF)',
      sheet: 'Sheet of QRs to print',
    },
    undo: {
      title: 'Undo',
      lead: 'Withdraws all that nobody has paid, signed or is being charged. The rest stays as it is. This cannot be taken back.',
      ask: 'Undo this import',
      question: 'Undo this import?',
      submit: 'Yes, withdraw',
    },
  },
};
