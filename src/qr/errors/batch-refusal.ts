import type { Said } from '../../language/said.ts';
import { Refusal } from '../../platform/errors.ts';
import { fault, refusals } from '../codes.ts';

/** A fault of an item, or of one of its fields. */
export interface Fault {
  /** The field; absent for a fault of the whole item. */
  field?: string;
  /** A complete sentence. */
  message: string;
  /** Its text in every language, of a fault that has a code. */
  said?: Said | null;
}

/** One thing that is wrong with one item of a batch. */
export interface ItemFault extends Fault {
  /** Place of the item in `data`, from 0. */
  index: number;
  /** The item's id as far as it was readable: with the account's prefix if valid. */
  id?: string;
}

/** Formats the English text once: a batch may have ten thousand faults. */
export const faultOf = (text: string | Said, field?: string): Fault => ({
  ...(field !== undefined && { field }),
  message: String(text),
  said: typeof text === 'string' ? null : text,
});

/** A fault as answers list it. */
export const shownFault = <T extends Fault>({
  said,
  ...shown
}: T): Omit<T, 'said'> & { error_code?: string } => ({
  ...shown,
  ...(said && { error_code: said.key }),
});

/** A refused batch, with all its faults. */
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
