import path from 'node:path';
import {
  licenseFaults,
  productionMb,
  readInstalled,
  readLock,
  readReasons,
  sizeFaults,
} from './supply.ts';

/** Checks licenses and sizes of all packages: `node tools/supply/check.ts`. */
const root = path.join(import.meta.dirname, '../..');
const reasons = await readReasons();
const installed = await readInstalled(root);
const faults = [...licenseFaults(await readLock(root), reasons), ...sizeFaults(installed, reasons)];
for (const fault of faults) console.error(fault);
console.log(`production takes ${productionMb(installed).toFixed(1)} MB of packages`);
if (faults.length > 0) process.exitCode = 1;
