// Card brands, by their names for payers.

export const names = {
  cabal: 'Cabal',
  naranja: 'Naranja',
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  maestro: 'Maestro',
};
