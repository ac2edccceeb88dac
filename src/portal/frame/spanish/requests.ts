import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** Why requests, QRs, mandates and debits do not become what they should. */
export const requestWords: Words = [
  [/^This id is taken|^The id \S+ is taken/, 'Ese código ya se usó, y no se usa dos veces.'],
  [/^This id is also that of the item/, 'Ese código está repetido en la planilla.'],
  [/begins with another account's id/, 'Empieza con el número de otra cuenta.'],
  [
    /After the account id and a dash/,
    'Puede tener hasta 16 letras, números, guiones o guiones bajos.',
  ],
  [/^Send at least one field/, 'Cambiá al menos un dato.'],
  [/^The QR is .*only a Pending one/, 'Solo se cambia o se borra un QR que está pendiente.'],
  [
    /^A payment of this QR is being processed/,
    'Se está cobrando este QR: probá cuando se sepa cómo terminó.',
  ],
  [
    /must stay true: the QR was paid/,
    'Tiene que seguir así: el QR ya se pagó, como uno de varios pagos.',
  ],
  [/takes no payments by QR/, 'Esta instalación todavía no cobra por QR.'],
  [
    /^The account was suspended or closed/,
    'La cuenta se suspendió o se cerró: no se creó nada más.',
  ],
  [
    /^(?:The body is empty|total_count|The document is compressed)/,
    'El archivo no es una planilla de QR.',
  ],
  [
    /^Some items are not valid|^The item is not valid/,
    'Hay datos que no son válidos: no se guardó nada.',
  ],
  [/^Some ids are taken/, 'Hay códigos que ya se usaron: no se guardó nada.'],
  [/has (\d+) uploads that wait/, 'Hay $1 archivos en proceso: esperá a que termine alguno.'],
  [
    /^Documents of this account take/,
    'Los archivos en proceso ocupan demasiado: esperá a que termine alguno.',
  ],
  [
    /check digit of bank and branch/,
    'No es un CBU: está mal el dígito verificador del banco y la sucursal (el 8.º).',
  ],
  [
    /check digit of the (?:bank and branch|account)/,
    'No es un CBU: está mal un dígito verificador.',
  ],
  [/^This is a CVU/, 'Es un CVU: tiene que ser el CBU de una cuenta bancaria.'],
  [/CBU (?:of|must have) 22 digits/, 'Tiene que ser un CBU, de 22 dígitos.'],
  [/^A CBU must be sent as a text/, 'El CBU tiene que ir como texto: como número pierde dígitos.'],
  [/^This is not a CBU/, 'No es un CBU: sus dígitos no coinciden.'],
  [
    /^This is not a CUIT or CUIL/,
    'No es un CUIT ni un CUIL: está mal el prefijo o el dígito verificador.',
  ],
  [/DNI of 7 or 8 digits/, 'Tiene que ser un DNI, de 7 u 8 dígitos, o un CUIT o CUIL, de 11.'],
  [/^A card number has digits only/, 'El número de tarjeta tiene solo dígitos.'],
  [/card number (?:has|of) 12 to 19 digits/, 'El número de tarjeta tiene de 12 a 19 dígitos.'],
  [/not the number of a card/, 'No es el número de una tarjeta que conozcamos.'],
  [/^This is not a card number/, 'No es un número de tarjeta: está mal su dígito verificador.'],
  [/^A card number must be sent as a text/, 'El número de tarjeta tiene que ir como texto.'],
  [/was erased: nothing can be written/, 'El número de esa tarjeta ya se borró.'],
  [/^The card number is not encrypted/, 'El número de tarjeta no está cifrado para esta cuenta.'],
  [/no connector here keeps cards/, 'Completá este dato.'],
  [/^The account is \w+\.$/, 'La cuenta no está activa.'],
  [/^The mandate changed meanwhile/, 'La adhesión cambió mientras tanto: no se mandó nada.'],
  [/does not wait for a signature/, 'Esta adhesión no espera una firma.'],
  [/^The time to sign is over/, 'Ya pasó el plazo para firmar: hacé la adhesión de nuevo.'],
  [
    /has (\d+) mandates that wait for their signature/,
    'Hay $1 adhesiones sin firmar, que es lo máximo: cancelá alguna o esperá.',
  ],
  [/^The adhesion is .*: debits can be made only/, 'Solo se debita con una adhesión firmada.'],
  [
    /^Banks need to know ahead: the first due date must be (\S+) or later/,
    'Los bancos necesitan saberlo antes: tiene que ser el $1 o más adelante.',
  ],
  [
    /^The cut-off of \S+ has passed: the first open period is month (\d+) of year (\d+)/,
    'Ese período ya cerró: el primero abierto es $1/$2.',
  ],
  [
    /^The debit is .*only a pending one/,
    'Solo se cancela un débito pendiente, antes de que se mande al banco.',
  ],
  [/^This debit does not wait to go out/, 'Este débito no espera para salir.'],
  [
    /^The payment request is .*only one that nobody paid/,
    'Solo se retira un pedido que nadie pagó.',
  ],
  [/^Withdrawn by (.+): import (\d+) was undone/, 'Lo retiró $1, al deshacer la importación $2.'],
  [/^Withdrawn by (.+)\.$/, 'Lo retiró $1.'],
  [/^Canceled by the collector/, 'Lo canceló quien cobra.'],
  [/^A mail of this request was sent again/, 'Este mail se acaba de mandar de nuevo.'],
  [
    /are sent again (\d+) times a day/,
    'Los mails de un pedido se mandan de nuevo hasta $1 veces por día.',
  ],
  [/asked for no more mails/, 'Quien lee ese correo pidió no recibir más mails de esta cuenta.'],
  [/^The request has no mail address/, 'El pedido no tiene un correo.'],
  [/^Reminders go from 1 to (\d+) days/, 'Los recordatorios van de 1 a $1 días antes.'],
  [/^The request is .*not payable now/, 'El pedido no se puede pagar ahora.'],
  [/^The request is /, 'El pedido ya no está para eso.'],
  [/cannot be paid with|cannot be paid in|cannot be paid by/, 'El pedido no se paga de esa forma.'],
  [
    /^Credit cards are the only channel left/,
    'Solo queda la tarjeta de crédito, y no tiene ningún plan: dejá otro medio.',
  ],
  [
    /they are used up, and its operator/,
    'Se terminaron los números de los códigos de barras: avisale al operador.',
  ],
  [/^The account has /, 'El saldo de la cuenta no alcanza.'],
];
