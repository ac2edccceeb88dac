import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** Why a spreadsheet, or a file of a network, is not taken. */
export const fileWords: Words = [
  [
    /given up because of a fault on our side/,
    'Se cortó por una falla nuestra. Lo que se creó vale; para seguir con el resto, confirmala o subila de nuevo.',
  ],
  [
    /^The document has (\d+) bytes; at most (\d+)/,
    'El archivo tiene $1 bytes; puede tener hasta $2.',
  ],
  [/is no X\.509 certificate/, 'El archivo no es un certificado X.509, en PEM o DER.'],
  [
    /^The certificate in .* is good from/,
    'El certificado no está vigente: pedile al banco el que se usa.',
  ],
  [
    /has no key that files are encrypted for/,
    'El certificado no tiene una clave con la que se pueda cifrar: RSA o EC.',
  ],
];
