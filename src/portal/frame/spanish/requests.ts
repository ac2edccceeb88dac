import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** Why requests, QRs, mandates and debits do not become what they should. */
export const requestWords: Words = [
  [/^This id is taken|^The id \S+ is taken/, 'Ese código ya se usó, y no se usa dos veces.'],
  [
    /^webhook_url cannot be used/,
    'No se puede avisar a webhook_url: tiene que ser una dirección pública.',
  ],
  [/begins with another account's id/, 'Empieza con el número de otra cuenta.'],
  [
    /After the account id and a dash/,
    'Puede tener hasta 16 letras, números, guiones o guiones bajos.',
  ],
  [
    /^The account was suspended or closed/,
    'La cuenta se suspendió o se cerró: no se creó nada más.',
  ],
  [
    /^(?:The body is empty|total_count|The document is compressed)/,
    'El archivo no es una planilla de QR.',
  ],
  [/^Withdrawn by (.+): import (\d+) was undone/, 'Lo retiró $1, al deshacer la importación $2.'],
  [/^Withdrawn by (.+)\.$/, 'Lo retiró $1.'],
  [/^Canceled by the collector/, 'Lo canceló quien cobra.'],
];
