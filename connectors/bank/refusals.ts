/** The meaning of a documented code for an order; other codes leave its outcome unknown. */
export type Meaning =
  /** The payer's account is at fault; another one may work. */
  | { is: 'payers'; text: string; retry: 'same_now' | 'other_instrument' }
  /** Our order is wrong, and a retry would be too. */
  | { is: 'order'; text: string }
  /** The set-up is wrong: every order would be refused. */
  | { is: 'setup'; text: string };

const payers = (text: string, retry: 'same_now' | 'other_instrument'): Meaning => ({
  is: 'payers',
  text,
  retry,
});
const order = (text: string): Meaning => ({ is: 'order', text });
const setup = (text: string): Meaning => ({ is: 'setup', text });

const meanings: Readonly<Record<string, Meaning>> = {
  GE403: setup('The user of the bank may not collect to this account.'),
  PA001: setup('The bank of the address is not right.'),
  PA002: setup('The view of the address is not right.'),
  TX022: setup('The account is not enabled to collect by DEBIN.'),
  TX002: order('The bank misses the amount.'),
  TX003: order('The bank misses the currency.'),
  TX004: order('The bank misses the value.'),
  TX010: order('The bank does not know the concept.'),
  TX011: order('The bank does not take the amount.'),
  TX012: order('The bank does not take the currency.'),
  TX016: order('The bank misses the account of the payer.'),
  TX017: order('The bank takes a number or an alias, not both.'),
  TX033: order('The id of the order is too long for the bank.'),
  TX035: order('The description is too long for the bank.'),
  TX008: payers('The number of the account is not right.', 'same_now'),
  TX009: payers('The alias of the account is not right.', 'same_now'),
};

/** Returns null for codes that leave the outcome open, such as TX500, GE500 and GE401. */
export const meaningOf = (code: string): Meaning | null => meanings[code] ?? null;
