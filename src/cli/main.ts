import { expectSignals } from './signals.ts';

// First, because loading takes a moment, and a signal during it is not a crash.
if (process.argv[2] === 'serve') expectSignals();
await import('./program.ts');
