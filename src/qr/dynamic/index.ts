import type { Attempts } from '../../money/charges/index.ts';
import type { Base } from '../../platform/base.ts';
import type { QrTerms } from '../payload/payload.ts';
import { deleteQrs } from './delete.ts';
import { editQrs } from './edit.ts';
import { findQrs, getQr } from './get.ts';
import { oneQr } from './one.ts';
import { payQr } from './pay.ts';
import { saveQrs } from './save.ts';
import { createFreeQrs, withdrawQrs } from './together.ts';

export type { FindQr, FoundQr } from './get.ts';
export { presentQr } from './present.ts';

export function createDynamicVerbs(base: Base, attempts: Attempts, terms: QrTerms) {
  const find = findQrs(base);
  const get = getQr(find);
  const changes = { save: saveQrs(base), edit: editQrs(base), remove: deleteQrs(base) };
  return {
    ...changes,
    one: oneQr(base, terms, changes),
    find,
    get,
    pay: payQr(base, get, attempts),
    createFree: createFreeQrs(base),
    withdraw: withdrawQrs(base),
  };
}

export type Dynamics = ReturnType<typeof createDynamicVerbs>;
