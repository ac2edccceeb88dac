export type { Reversal } from './reversal.ts';
export { type Reverse, reverse } from './reverse.ts';
