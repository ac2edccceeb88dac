// The brands of cards, by the names that payers know.

export const names = {
  cabal: 'Cabal',
  naranja: 'Naranja',
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners Club',
  maestro: 'Maestro',
};
