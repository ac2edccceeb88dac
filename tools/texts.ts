import { packageRoot } from '../src/package-root.ts';
import { declaredOperations, operationFaults, operationKeys } from './operations.ts';
import { codeFaults, declaredCodes, sourcesOf } from './refusal-codes.ts';

/** Compares codes of refusals and operations with their texts, and fails where one lacks the other. */
const operations = await declaredOperations();
const sources = await sourcesOf(packageRoot());
const faults = [
  ...codeFaults(await declaredCodes(), sources, operationKeys(operations)),
  ...operationFaults(operations),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
