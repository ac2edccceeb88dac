export { type AccountErasure, type Erasure, type ErasureOrder, erasePerson } from './erase.ts';
export { exportPerson } from './export.ts';
