import { packageRoot } from '../src/package-root.ts';
import {
  declaredListings,
  declaredOperations,
  listingFaults,
  listingKeys,
  operationFaults,
  operationKeys,
} from './operations.ts';
import { pageFaults, pageTexts, wordsOf } from './page-texts.ts';
import { codeFaults, declaredCodes, sourcesOf } from './refusal-codes.ts';

/**
 * Compares texts with the codes, operations and sources that use them; fails if either lacks the
 * other.
 */
const root = packageRoot();
const operations = await declaredOperations();
const listings = await declaredListings();
const keys = operationKeys(operations).union(listingKeys(listings));
const faults = [
  ...codeFaults(await declaredCodes(), await sourcesOf(root), keys),
  ...operationFaults(operations),
  ...listingFaults(listings),
  ...pageFaults(await pageTexts(root), await wordsOf(root)),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
