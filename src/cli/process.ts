import { joinPrimary } from '../platform/processes/company.ts';
import { expectSignals } from './signals.ts';

// One of several processes started by a primary: see serve-processes.ts.
expectSignals();
// A terminal sends SIGHUP to all processes, but only the primary handles it.
process.on('SIGHUP', () => {});
const company = joinPrimary();
const { runProcess } = await import('./serve.ts');
await runProcess(company);
