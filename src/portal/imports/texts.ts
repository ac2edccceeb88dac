import type { Import, Note } from '../../imports/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

export interface ImportTexts {
  title: string;
  lead: string;
  upload: { title: string; file: string; hint: string; submit: string; missing: string };
  list: { title: string; file: string; state: string; rows: string; created: string; when: string };
  empty: string;
  states: Record<Import['state'], string>;
  notes: (note: Note) => string;
  sameFile: (id: number) => string;
  figures: Record<
    'rows' | 'sound' | 'faulty' | 'existing' | 'created' | 'rejected' | 'skipped' | 'withdrawn',
    string
  >;
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
  result: { title: string; lead: string; download: string };
  undo: { title: string; lead: string; ask: string; question: string; submit: string };
}

export const importTexts: Readonly<Record<Lang, ImportTexts>> = {
  es: {
    title: 'Emisión masiva',
    lead: 'Subí una planilla con una fila por pagador: la revisás antes de que se cree nada.',
    upload: {
      title: 'Subir una planilla',
      file: 'Planilla',
      hint: 'CSV o XLSX, hasta 50.000 filas y 16 MB. La primera fila nombra las columnas.',
      submit: 'Subir y revisar',
      missing: 'Elegí una planilla para subir.',
    },
    list: {
      title: 'Planillas subidas',
      file: 'Planilla',
      state: 'Estado',
      rows: 'Filas',
      created: 'Cobros creados',
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
          return `Dejamos afuera las ${note.rows} primeras filas, que están arriba de los títulos.`;
        case 'sheets':
          return `Leímos la primera hoja; el archivo tiene ${note.others} más.`;
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
          : `El cobro ${id} ya tiene esta referencia.`,
    },
    preview: 'Las primeras filas',
    confirm: {
      title: 'Confirmar',
      lead: (count) => `Se van a crear hasta ${count} cobros. Las filas con errores quedan afuera.`,
      repeats: 'Crear también las filas con referencia repetida',
      again: 'Sí, quiero importar otra vez la misma planilla',
      choices: 'Antes de crear',
      submit: (count) => `Crear ${count} cobros`,
      resume: 'Seguir con lo que falta',
    },
    discard: 'Descartar la planilla',
    progress: {
      running: 'Estamos creando los cobros. Podés cerrar esta página: sigue solo.',
      undoing: 'Estamos retirando lo que nadie pagó. Podés cerrar esta página: sigue solo.',
      of: (done, rows) => `${done} de ${rows} filas`,
      look: 'Actualizar',
    },
    result: {
      title: 'Resultado',
      lead: 'Una planilla con cada fila, su número, sus enlaces o su error.',
      download: 'Bajar el resultado (CSV)',
    },
    undo: {
      title: 'Deshacer',
      lead: 'Retira todo lo que nadie pagó todavía. Lo que ya se pagó queda como está. No se puede volver atrás.',
      ask: 'Deshacer esta importación',
      question: '¿Deshacer esta importación?',
      submit: 'Sí, retirar lo que nadie pagó',
    },
  },
  en: {
    title: 'Imports',
    lead: 'Upload a spreadsheet with one row for each payer: you look at it before anything is created.',
    upload: {
      title: 'Upload a spreadsheet',
      file: 'Spreadsheet',
      hint: 'CSV or XLSX, up to 50,000 rows and 16 MB. The first row names the columns.',
      submit: 'Upload and look',
      missing: 'Choose a spreadsheet to upload.',
    },
    list: {
      title: 'Uploaded spreadsheets',
      file: 'Spreadsheet',
      state: 'State',
      rows: 'Rows',
      created: 'Requests created',
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
          return `The first ${note.rows} rows stand above the headings and are left out.`;
        case 'sheets':
          return `The first sheet was read; the file has ${note.others} more.`;
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
          : `Request ${id} has this reference already.`,
    },
    preview: 'The first rows',
    confirm: {
      title: 'Confirm',
      lead: (count) => `Up to ${count} requests will be created. Rows with faults are left out.`,
      repeats: 'Also create rows whose reference is there already',
      again: 'Yes, import the same spreadsheet once more',
      choices: 'Before creating',
      submit: (count) => `Create ${count} requests`,
      resume: 'Go on with the rest',
    },
    discard: 'Discard the spreadsheet',
    progress: {
      running: 'The requests are being created. You can close this page: it goes on.',
      undoing: 'What nobody has paid is being withdrawn. You can close this page: it goes on.',
      of: (done, rows) => `${done} of ${rows} rows`,
      look: 'Look again',
    },
    result: {
      title: 'Result',
      lead: 'A spreadsheet with each row, its number, its links or its fault.',
      download: 'Download the result (CSV)',
    },
    undo: {
      title: 'Undo',
      lead: 'Withdraws all that nobody has paid yet. What was paid stays as it is. This cannot be taken back.',
      ask: 'Undo this import',
      question: 'Undo this import?',
      submit: 'Yes, withdraw what nobody has paid',
    },
  },
};
