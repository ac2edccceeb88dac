import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** What is wrong with one field of a form, or one cell of a spreadsheet. */
export const fieldWords: Words = [
  [/^This field is required\./, 'Completá este dato.'],
  [/^This value must not be blank/, 'No puede quedar en blanco.'],
  [
    /must have at most (\d+) characters; it has (\d+)/,
    'Puede tener hasta $1 caracteres; tiene $2.',
  ],
  [/control characters other than line breaks/, 'No puede tener caracteres de control.'],
  [/must not have control characters/, 'No puede tener saltos de línea ni caracteres de control.'],
  [
    /change the direction of writing/,
    'No puede tener caracteres que cambian el sentido del texto.',
  ],
  [
    /must not have the number of a card/,
    'No puede tener un número de tarjeta: sacalo, o dejá los últimos cuatro dígitos.',
  ],
  [/lone surrogate/, 'Tiene caracteres que no son válidos.'],
  [/not an e-mail address/, 'Tiene que ser un correo, como ana@example.com.'],
  [
    /not a day (?:of the calendar|in the format)/,
    'No es un día del calendario: por ejemplo 05-12-2026.',
  ],
  [/more than 2 decimals/, 'Puede tener hasta 2 decimales.'],
  [/more than 8 integer digits/, 'El importe más grande es 99.999.999,99.'],
  [/is not an amount/, 'No es un importe: por ejemplo 1.430,50.'],
  [/^This amount must be at least (\S+)\.$/, 'El importe tiene que ser de $1 como mínimo.'],
  [/must be one of/, 'Elegí una de las opciones.'],
  [/whole number from (\d+) to (\d+)/, 'Tiene que ser un número entero, de $1 a $2.'],
  [/must have at most (\d+) bytes as JSON; it has (\d+)/, 'Puede tener hasta $1 bytes; tiene $2.'],
  [/must be a JSON object/, 'Tiene que ser un objeto JSON, como {"socio": 12}.'],
  [/must have at least (\d+) characters/, 'Tiene que tener $1 caracteres como mínimo.'],
  [/^This value must be a text/, 'Tiene que ser un texto.'],
  [/^This value must be a number/, 'Tiene que ser un número.'],
  [/must be true(?:,| or) false/, 'Tiene que ser sí o no.'],
  [/not a whole number/, 'Tiene que ser un número entero.'],
  [/^It must be (?:a )?text of (\d+) to (\d+)/, 'Tiene que tener de $1 a $2 caracteres.'],
  [/absolute address that begins with/, 'Tiene que ser una dirección que empiece con https://.'],
  [/must be a date in the format/, 'Tiene que ser un día, como 05-12-2026.'],
  [/must be an amount of/, 'Tiene que ser un importe, como 1.430,50.'],
  [/date-time with an offset/, 'Tiene que ser un momento, como 2026-12-05T09:00:00-03:00.'],
  [/nested more than (\d+) levels/, 'Puede tener hasta $1 niveles, uno dentro de otro.'],
  [/texts of this object must not have/, 'Tiene caracteres que no son válidos.'],
  [/list of at most (\d+) values|must have at most (\d+) values/, 'Son demasiados valores.'],
  [/must be a list/, 'Tiene que ser una lista.'],
  [/^Some fields are not valid/, 'Hay datos que no son válidos.'],
  [/^There is no /, 'No existe, o no es de esta cuenta.'],
];
