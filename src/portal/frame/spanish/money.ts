import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** What stands in the way of money that is to move: refunds, payouts, corrections, suspense. */
export const moneyWords: Words = [
  [/^The dispute (\S+) is one of another charge/, 'La disputa $1 es de otro cobro.'],
  [/is one of another charge/, 'Esta disputa es de otro pago.'],
  [
    /^Fees cannot be changed from (\S+) on.* today, (\S+)\.$/,
    'Los aranceles no se pueden cambiar desde el $1, que ya pasó: desde hoy, $2, sí.',
  ],
  [/^The standard terms hold from (\S+) on/, 'Desde el $1 ya rigen los aranceles generales.'],
  [/^The day is being closed|^Postings are under way/, 'Ahora no se pudo: probá de nuevo.'],
  [
    /^The register was not imported: it has no lines/,
    'El padrón no tiene renglones: no se importó nada.',
  ],
  [
    /^The register was not imported: nothing was changed\.$/,
    'El padrón no se importó: no cambió nada.',
  ],
  [
    /^line 1: (.*) must be the names of the columns: (.*)$/,
    'Renglón 1: dice $1; tiene que nombrar las columnas: $2.',
  ],
  [/^line (\d+): .* must have the 6 columns (.*)$/, 'Renglón $1: tiene que tener $2.'],
  [
    /^line (\d+): it is not a line of CSV/,
    'Renglón $1: no es un renglón de CSV, o es demasiado largo.',
  ],
  [
    /^line (\d+), cuit: (.*) must be/,
    'Renglón $1, cuit: $2 no es un CUIT de 11 dígitos con su dígito verificador.',
  ],
  [
    /^line (\d+), (regime|jurisdiction): (.*) must be/,
    'Renglón $1, $2: $3 no es un texto de 1 a 60 caracteres.',
  ],
  [
    /^line (\d+), rate: (.*) must be/,
    'Renglón $1, rate: $2 no es un porcentaje de 0 a 100, con punto y hasta 4 decimales.',
  ],
  [/^line (\d+), valid_from: (.*) must be/, 'Renglón $1, valid_from: $2 no es un día dd-mm-aaaa.'],
  [
    /^line (\d+), valid_to: (.*) must be/,
    'Renglón $1, valid_to: $2 no es un día dd-mm-aaaa desde valid_from en adelante.',
  ],
];
