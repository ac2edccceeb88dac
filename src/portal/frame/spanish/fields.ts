import type { Words } from './words.ts';

/** Of what is not there. */
export const fieldWords: Words = [[/^There is no /, 'No existe, o no es de esta cuenta.']];
