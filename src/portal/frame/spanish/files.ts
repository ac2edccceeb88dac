import type { Words } from './words.ts';

// all bounded: 1,000 characters, by faults.ts

/** Why a spreadsheet, or a file of a network, is not taken. */
export const fileWords: Words = [
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
