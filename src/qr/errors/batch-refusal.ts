import type { LocalizedText } from '../../language/localized-text.ts';
import { Refusal } from '../../platform/errors.ts';
import { fault, refusals } from '../codes.ts';

/** A fault of an item, or of one of its fields. */
export interface Fault {
  /** The field. Absent for a fault of the whole item. */
  field?: string;
  /** A complete sentence. */
  message: string;
  /** The text in every language, if the fault has a code. */
  localized?: LocalizedText | null;
}

export interface ItemFault extends Fault {
  /** Index in `data`, from 0. */
  index: number;
  /** The item's id if readable, with the account's prefix if valid. */
  id?: string;
}

/** Formats the English text once, because a batch may have ten thousand faults. */
export const faultOf = (text: string | LocalizedText, field?: string): Fault => ({
  ...(field !== undefined && { field }),
  message: String(text),
  localized: typeof text === 'string' ? null : text,
});

/** Formats a fault as responses list it. */
export const presentFault = <T extends Fault>({
  localized,
  ...fields
}: T): Omit<T, 'localized'> & { error_code?: string } => ({
  ...fields,
  ...(localized && { error_code: localized.key }),
});

export class BatchRefusal extends Refusal {
  readonly errors: readonly ItemFault[];

  constructor(
    code: 'qr.items_invalid' | 'qr.ids_taken' | 'qr.batch_refused',
    done: 'saved' | 'edited' | 'deleted',
    errors: readonly ItemFault[],
  ) {
    super(refusals.codes[code].kind, fault(code, { done }));
    this.errors = errors;
  }
}
