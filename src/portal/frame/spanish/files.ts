import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** Why a spreadsheet, or a file of a network, is not taken. */
export const fileWords: Words = [
  [
    /^The spreadsheet rounded this number/,
    'La planilla redondeó este número: dale formato de texto a la columna y escribilo de nuevo.',
  ],
  [/^The cell has the error (\S+) of a formula/, 'La celda tiene el error $1 de una fórmula.'],
  [
    /^The row has (\d+) cells, the first line names (\d+)/,
    'La fila tiene $1 celdas, y la primera nombra $2 columnas.',
  ],
  [
    /^Somebody changed (?:or confirmed )?this import/,
    'Alguien cambió esta importación: miralá de nuevo.',
  ],
  [/^The import is .*it was confirmed/, 'Esta importación ya se confirmó.'],
  [/^The import is /, 'La importación ya no está para eso: mirá cómo quedó.'],
  [
    /^Fields that are required have no column/,
    'Hay datos obligatorios que todavía no tienen columna.',
  ],
  [/^Every row has a fault/, 'Todas las filas tienen errores: no hay nada para crear.'],
  [
    /^The same file was imported before, as import (\d+)/,
    'El mismo archivo ya se importó, como importación $1: decí que va de nuevo, o deshacé aquella.',
  ],
  [/account creates nothing now/, 'La cuenta no está activa: ahora no se crea nada.'],
  [/^This import was undone in part/, 'Esta importación se deshizo en parte.'],
  [/^There is no field /, 'Ese dato no es de este tipo de importación.'],
  [/^The file has (\d+) columns\.$/, 'El archivo tiene $1 columnas.'],
  [
    /^A column can be one field only/,
    'Una columna puede ser un solo dato: elegí otra para uno de los dos.',
  ],
  [
    /stopped because of a fault on our side|given up because of a fault on our side/,
    'Se cortó por una falla nuestra. Lo que se creó vale; para seguir con el resto, confirmala o subila de nuevo.',
  ],
  [
    /^The (?:file|document) has (\d+) bytes; at most (\d+)/,
    'El archivo tiene $1 bytes; puede tener hasta $2.',
  ],
  [
    /has (\d+) imports that wait for their confirmation; at most (\d+)/,
    'Hay $1 importaciones sin confirmar, y puede haber hasta $2: confirmá o descartá alguna.',
  ],
  [/^The same file is being uploaded now/, 'El mismo archivo se está subiendo ahora.'],
  [/^The file is not CSV/, 'El archivo no es un CSV que se pueda leer.'],
  [
    /neither UTF-8 nor Windows-1252/,
    'El archivo no está en UTF-8 ni en Windows-1252: guardalo como «CSV UTF-8» o como XLSX.',
  ],
  [
    /takes more time or memory than is allowed/,
    'La planilla es demasiado grande: guardala de nuevo solo con las filas que van.',
  ],
  [
    /^Other spreadsheets are being read now/,
    'Ahora se están leyendo otras planillas: probá de nuevo.',
  ],
  [/^The file is empty/, 'El archivo está vacío.'],
  [
    /^The file has one column/,
    'El archivo tiene una sola columna: la primera fila tiene que nombrar dos o más.',
  ],
  [
    /^Cells are merged below the names of the columns \((.*)\)/,
    'Hay celdas combinadas ($1): separalas, así cada fila tiene sus datos.',
  ],
  [
    /^Row (\d+) does not name the columns/,
    'La fila $1 no nombra las columnas: tiene menos de dos nombres.',
  ],
  [/^The workbook has no sheet (\d+)/, 'La planilla no tiene una hoja $1 con celdas.'],
  [
    /^All (\d+) rows are hidden/,
    'Todas las filas ($1) están ocultas: mostralas en la planilla o sacale el filtro.',
  ],
  [
    /^The file of this import is not kept/,
    'Ya no tenemos el archivo: descartá la planilla y subila de nuevo.',
  ],
  [
    /^The file has more than (\d+) rows/,
    'El archivo tiene más de $1 filas, que es lo máximo: dividilo.',
  ],
  [/^The file has (\d+) columns; at most (\d+)/, 'El archivo tiene $1 columnas; se leen hasta $2.'],
  [
    /^The file has no rows below/,
    'El archivo no tiene filas debajo de los nombres de las columnas.',
  ],
  [
    /old format XLS, or has a password/,
    'El archivo es un XLS viejo, o tiene contraseña: guardalo como XLSX sin ella.',
  ],
  [/^The file is a PDF/, 'El archivo es un PDF. Se leen CSV y XLSX.'],
  [
    /not a workbook that can be read/,
    'La planilla no se puede leer: abrila y guardala como XLSX de nuevo.',
  ],
  [
    /unpacks to more than (\d+) MiB/,
    'La planilla ocupa más de $1 MB al abrirla: no es una lista de cobros.',
  ],
  [/has macros, which are not taken/, 'La planilla tiene macros: guardala como XLSX sin ellas.'],
  [
    /^The cell in row (\d+) and column (\d+) has no value/,
    'La celda de la fila $1 y la columna $2 no tiene valor, como una fórmula sin calcular: abrí el archivo y guardalo de nuevo.',
  ],
  [/^Two columns are (.+): leave one/, 'Hay dos columnas que son $1: dejá una.'],
  [
    /^These rows cannot be read: (.+)\. They/,
    'No se pueden leer estas filas: $1. Tienen celdas de más o de menos, o el error de una fórmula. No se tomó nada del archivo.',
  ],
  [
    /first row must name the columns; these are missing: (.+)\.$/,
    'La primera fila tiene que nombrar las columnas; faltan: $1.',
  ],
  [
    /^Another file is being written out/,
    'Se está escribiendo otro archivo: no se hizo nada. Probá de nuevo.',
  ],
  [/^This is not the file that was looked at/, 'No es el archivo que se miró: miralo de nuevo.'],
  [/^The import waits for its turn/, 'La importación espera su turno: mirá la lista de archivos.'],
  [/it leaves encrypted alone/, 'El archivo tiene números de tarjeta: sale solo cifrado.'],
  [/^The file cannot be opened any more/, 'El archivo ya no se puede abrir: mandalo de nuevo.'],
  [
    /^The file changed while it was imported/,
    'El archivo cambió mientras se importaba: mandalo de nuevo.',
  ],
  [
    /, line (\d+), columns (\d+)-(\d+) .*: found (.*), expected .*Nothing was imported/s,
    'Renglón $1, columnas $2 a $3: dice $4, que no es lo que va ahí. No se importó nada.',
  ],
  [
    /, line (\d+).*: found (.*), expected .*Nothing was imported/s,
    'Renglón $1: dice $2, que no es lo que va ahí. No se importó nada.',
  ],
  [
    /is not set: this deployment is not connected/,
    'Esta instalación no está conectada con esa red. No se hizo nada.',
  ],
  [
    /^Another file of (.+) of (\S+), (.+), was imported before/,
    'Otro archivo de $1 del $2, $3, ya se importó. Si los dos traen dinero propio, decí que va igual.',
  ],
  [
    /^Another file of (.+) of (\S+), (.+), was begun/,
    'Otro archivo de $1 del $2, $3, quedó empezado. Terminá primero con ese, o decí que va igual.',
  ],
  [
    /^A file of (.+) is being imported now/,
    'Se está importando un archivo de $1: esperá a que termine.',
  ],
  [
    /would not be the same by now/,
    'Ese archivo hoy saldría distinto, porque cambió la configuración. No se escribió nada.',
  ],
  [/^Debits go out in a file of today, (\S+)\./, 'Los débitos salen en un archivo de hoy, $1.'],
  [/^A publication is of today, (\S+),/, 'Una publicación es de hoy, $1, o de un día anterior.'],
  [/^This is too much for /, 'Son demasiados para un archivo de esa red.'],
  [/is no X\.509 certificate/, 'El archivo no es un certificado X.509, en PEM o DER.'],
  [
    /^The certificate in .* is good from/,
    'El certificado no está vigente: pedile al banco el que se usa.',
  ],
  [
    /has no key that files are encrypted for/,
    'El certificado no tiene una clave con la que se pueda cifrar: RSA o EC.',
  ],
  [/^No file of this deployment carries/, 'Ningún archivo de esta instalación lo lleva.'],
  [
    /debits no bank accounts/,
    'Esta instalación no debita cuentas: no hay un archivo de banco configurado.',
  ],
  [/debits no cards/, 'Esta instalación no debita tarjetas: no hay un archivo configurado.'],
  [
    /holds numbers of at most (\d+) digits; this one has (\d+)/,
    'El archivo de esta tarjeta lleva números de hasta $1 dígitos; este tiene $2.',
  ],
];
