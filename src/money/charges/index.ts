export { openAttemptsOf } from './attempt.ts';
export { type Attempts, openAttempts, type PayOutcome } from './attempts.ts';
export { TriesPaused, type TryLimits } from './tries.ts';
