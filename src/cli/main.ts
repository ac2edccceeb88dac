import { expectSignals } from './signals.ts';

// First of all: loading the program takes a moment, and a signal then is no crash of the service.
if (process.argv[2] === 'serve') expectSignals();
await import('./program.ts');
