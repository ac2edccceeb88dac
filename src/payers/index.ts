export { type AccountErasure, type ErasureOrder, erasePerson } from './erase.ts';
export { exportPerson } from './export.ts';
