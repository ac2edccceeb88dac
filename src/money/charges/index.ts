export { openAttemptsOf } from './attempt.ts';
export { type Attempts, createAttemptVerbs, type PayOutcome } from './attempts.ts';
export { TriesPaused, type TryLimits } from './tries.ts';
