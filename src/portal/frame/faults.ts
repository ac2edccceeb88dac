import type { Lang } from '../../platform/pages/model.ts';

type Words = readonly (readonly [RegExp, string])[];

/** What forms find wrong, in Spanish: in the words of whoever fills them in, not of a program. */
const spanish: Words = [
  [
    /^This field is required when second_(?:total|due_date) is sent/,
    'El segundo vencimiento y su importe van juntos: completá los dos, o ninguno.',
  ],
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
  [/lone surrogate/, 'Tiene caracteres que no son válidos.'],
  [/^It must be an e-mail address/, 'Tiene que ser un correo, como ana@example.com.'],
  [/not a day of the calendar/, 'No es un día del calendario: por ejemplo 05-12-2026.'],
  [/more than 2 decimals/, 'Puede tener hasta 2 decimales.'],
  [/more than 8 integer digits/, 'El importe más grande es 99.999.999,99.'],
  [/is not an amount/, 'No es un importe: por ejemplo 1.430,50.'],
  [/^This amount must be at least (\S+)\.$/, 'El importe tiene que ser de $1 como mínimo.'],
  [/first due date must be today, (\S+), or later/, 'Tiene que ser hoy, $1, o más adelante.'],
  [/first due date must be (\S+) or earlier/, 'Tiene que ser el $1 o antes.'],
  [
    /second due date must be later than the first, (\S+)\.$/,
    'Tiene que ser después del primer vencimiento, $1.',
  ],
  [
    /at most (\d+) days after the first: the latest is (\S+)\.$/,
    'Puede ser hasta $1 días después del primero: el último es el $2.',
  ],
  [
    /second total must not be lower than the first, (\S+)\.$/,
    'No puede ser menor que el primer importe, $1.',
  ],
  [/^Every channel is excluded/, 'Dejá al menos un medio de pago.'],
  [/^This deployment offers no payment channel/, 'Todavía no hay medios de pago configurados.'],
  [
    /^Credit cards are the only channel left/,
    'Solo queda la tarjeta de crédito, y la cuenta no tiene planes para ella: dejá otro medio.',
  ],
  [
    /^Barcodes of this deployment .* at most (\S+)\.$/,
    'Por el código de barras puede ser hasta $1.',
  ],
  [/must be one of/, 'Elegí una de las opciones.'],
  [/whole number from (\d+) to (\d+)/, 'Tiene que ser un número entero, de $1 a $2.'],
  [/must have at most (\d+) bytes as JSON; it has (\d+)/, 'Puede tener hasta $1 bytes; tiene $2.'],
  [/must be a JSON object/, 'Tiene que ser un objeto JSON, como {"socio": 12}.'],
  [
    /^At most (\S+) of this payment can still be refunded/,
    'De este pago se pueden devolver hasta $1.',
  ],
  [
    /cannot give money back: send the CBU/,
    'Este medio no devuelve dinero: escribí el CBU o CVU al que se transfiere.',
  ],
  [/gives this payment back itself/, 'Este medio devuelve el pago: dejá el CBU en blanco.'],
  [/not a CBU or CVU/, 'No es un CBU ni un CVU: son 22 dígitos, con sus verificadores.'],
  [
    /^The account has (\S+), available and to come/,
    'La cuenta tiene $1, disponible y a disponibilizarse: no alcanza para esta devolución.',
  ],
];

/** A number with its comma. */
const inSpanish = (text: string): string =>
  /^\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;

/** A fault of a form as its page says it; one that nobody translated stays as it is. */
export function faultText(lang: Lang, message: string): string {
  if (lang !== 'es') return message;
  const [pattern, words] = spanish.find(([known]) => known.test(message)) ?? [];
  if (pattern === undefined || words === undefined) return message;
  const told = pattern.exec(message) ?? [];
  return words.replace(/\$(\d)/g, (_all, no: string) => inSpanish(told[Number(no)] ?? ''));
}
