import { joinPrimary } from '../platform/processes/company.ts';
import { expectSignals } from './signals.ts';

// A process of several, started by their primary: see serve-processes.ts.
expectSignals();
// A terminal tells all of them: it is the primary that replaces them.
process.on('SIGHUP', () => {});
const company = joinPrimary();
const { runProcess } = await import('./serve.ts');
await runProcess(company);
