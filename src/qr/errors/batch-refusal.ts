import type { QrErrorName } from './codes.ts';
import { QrRefusal } from './refusal.ts';

/** One thing that is wrong with one item of a batch. */
export interface ItemFault {
  /** Place of the item in `data`, from 0. */
  index: number;
  /** The item's id as far as it could be read: with the account's prefix if it was valid. */
  id?: string;
  /** The field; absent where the whole item is meant. */
  field?: string;
  /** A complete sentence. */
  message: string;
}

/** A batch that was refused as a whole, with everything that is wrong with it. */
export class BatchRefusal extends QrRefusal {
  readonly errors: readonly ItemFault[];

  constructor(name: QrErrorName, message: string, errors: readonly ItemFault[]) {
    super(name, message);
    this.errors = errors;
  }
}
