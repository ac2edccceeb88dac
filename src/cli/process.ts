import { joinPrimary } from '../platform/processes/company.ts';
import { expectSignals } from './signals.ts';

// One of several processes that a primary starts. See serve-processes.ts.
expectSignals();
// A terminal sends SIGHUP to all processes, but only the primary handles it.
process.on('SIGHUP', () => {});
const company = joinPrimary();
const { runProcess } = await import('./serve.ts');
await runProcess(company);
