// Names of card brands, as payers see them.

export const names = {
  cabal: 'Cabal',
  naranja: 'Naranja',
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  maestro: 'Maestro',
};
