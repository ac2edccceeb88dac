import { Refusal } from '../../platform/errors.ts';
import { errorCodes, type QrErrorName } from './codes.ts';

/** A refusal with a code of its own in the QR service's answers. */
export class QrRefusal extends Refusal {
  readonly code: string;

  constructor(name: QrErrorName, message: string) {
    super(errorCodes[name].kind, message);
    this.code = errorCodes[name].code;
  }
}
