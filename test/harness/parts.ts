import { subscribe } from 'node:diagnostics_channel';
import { afterAll, expect } from 'vitest';
import { partsOf } from '../../src/platform/postgres/by-parts/parts.ts';

/**
 * Each statement that a test sends, to one server too, could be run by its parts: none of them reads
 * what an earlier one wrote.
 */

const looked = new Set<unknown>();
const faults: string[] = [];

// Files that share a process listen once.
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
