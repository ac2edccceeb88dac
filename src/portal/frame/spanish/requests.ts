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
  [/^This debit does not wait to go out/, 'Este débito no espera para salir.'],
  [/^Withdrawn by (.+): import (\d+) was undone/, 'Lo retiró $1, al deshacer la importación $2.'],
  [/^Withdrawn by (.+)\.$/, 'Lo retiró $1.'],
  [/^Canceled by the collector/, 'Lo canceló quien cobra.'],
];
