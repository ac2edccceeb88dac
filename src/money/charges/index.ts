export { openAttemptsOf } from './attempt.ts';
export { type Attempts, openAttempts, type PayOutcome } from './attempts.ts';
