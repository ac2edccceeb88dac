import type { Attempts } from '../../money/charges/index.ts';
import type { Base } from '../../platform/base.ts';
import { deleteQrs } from './delete.ts';
import { editQrs } from './edit.ts';
import { findQrs, getQr } from './get.ts';
import { payQr } from './pay.ts';
import { saveQrs } from './save.ts';
import { createFreeQrs, withdrawQrs } from './together.ts';

export type { FindQr } from './get.ts';
export { presentQr } from './present.ts';

/** Dynamic QRs with their verbs, ready to be called. */
export function createDynamicVerbs(base: Base, attempts: Attempts) {
  const find = findQrs(base);
  const get = getQr(find);
  return {
    save: saveQrs(base),
    edit: editQrs(base),
    remove: deleteQrs(base),
    find,
    get,
    pay: payQr(base, get, attempts),
    createFree: createFreeQrs(base),
    withdraw: withdrawQrs(base),
  };
}

export type Dynamics = ReturnType<typeof createDynamicVerbs>;
