/** What follows from a code of the bank clearing or of a card processor. */
export type Handling =
  /** The debit ends; the mandate stays. */
  | 'reject'
  /** The debit ends, and so does the mandate: account or service is gone. */
  | 'close'
  /** Too little money: the second due, where there is one, is tried. */
  | 'retry'
  /** Not the last word: the debit stays in process. */
  | 'wait';

export interface RejectCode {
  text: string;
  handling: Handling;
}

/**
 * The codes of the clearing for direct debits; of the card processor's, with texts of their own,
 * only the one that is not final.
 */
export const rejectCodes: Readonly<Record<string, RejectCode>> = {
  '034': { text: 'The card processor tries the authorization again.', handling: 'wait' },
  R02: { text: 'Account closed or suspended.', handling: 'close' },
  R03: { text: 'The account does not exist.', handling: 'close' },
  R04: { text: 'Invalid account number.', handling: 'close' },
  R05: { text: 'Deferral order.', handling: 'wait' },
  R06: { text: 'Formal defects.', handling: 'reject' },
  R07: { text: 'At the request of the originating bank.', handling: 'reject' },
  R08: { text: 'Order not to pay.', handling: 'reject' },
  R10: { text: 'Insufficient funds.', handling: 'retry' },
  R13: { text: 'The destination bank does not exist.', handling: 'reject' },
  R14: { text: 'Wrong customer id at the company.', handling: 'reject' },
  R15: { text: 'The service was canceled.', handling: 'close' },
  R17: { text: 'Format error.', handling: 'reject' },
  R19: { text: 'Wrong amount.', handling: 'reject' },
  R20: { text: 'The currency differs from that of the account.', handling: 'reject' },
  R23: { text: 'The branch is not enabled.', handling: 'reject' },
  R24: { text: 'Duplicate transaction: the bank has this debit already.', handling: 'wait' },
  R25: { text: 'Error in the addenda record.', handling: 'reject' },
  R26: { text: 'Error in a mandatory field.', handling: 'reject' },
  R28: { text: 'Rejected at the first due.', handling: 'retry' },
  R29: { text: 'The reversal was made already.', handling: 'wait' },
  R75: { text: 'Invalid date.', handling: 'reject' },
  R81: { text: 'Force majeure.', handling: 'wait' },
  R87: { text: 'Invalid currency.', handling: 'reject' },
  R89: { text: 'Errors of the adhesion.', handling: 'close' },
  R90: { text: 'Reversal out of its 30 days.', handling: 'wait' },
  R91: { text: 'The bank code does not go with the currency.', handling: 'reject' },
  R95: { text: 'Reversal presented late.', handling: 'wait' },
};

/** What a code says; one that is not known ends the debit, with what the bank wrote. */
export const rejectCodeOf = (code: string, text: string): RejectCode =>
  rejectCodes[code] ?? { text: text === '' ? 'Rejected.' : text, handling: 'reject' };
