import { packageRoot } from '../src/package-root.ts';
import { codeFaults, declaredCodes, sourcesOf } from './refusal-codes.ts';

/** Compares codes of refusals with their texts, and fails where one lacks the other. */
const faults = codeFaults(await declaredCodes(), await sourcesOf(packageRoot()));
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
