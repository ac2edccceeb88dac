import { subscribe } from 'node:diagnostics_channel';
import { afterAll, expect } from 'vitest';
import { partsOf } from '../../src/platform/postgres/by-parts/parts.ts';

/**
 * Checks, even on a single server, that each statement of a test can be split into its parts: no
 * part may read what an earlier one wrote.
 */

const looked = new Set<unknown>();
const faults: string[] = [];

// Test files that share a process subscribe once.
const listening = Symbol.for('recaudo.parts');
if (!Reflect.has(globalThis, listening)) {
  Reflect.set(globalThis, listening, true);
  subscribe('recaudo.statement', (text) => {
    if (looked.has(text)) return;
    looked.add(text);
    const fault = partsOf(String(text))?.fault;
    if (fault) faults.push(`${fault}\n${text}`);
  });
}

afterAll(() => {
  expect(faults.splice(0)).toEqual([]);
});
