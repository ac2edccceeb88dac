import { vi } from 'vitest';

const timeout = 60_000;

// Waiting is for a condition, not for a fast machine: a second is too short on a busy one. A test
// that wants less, or more, says so. Files that share a process are patient once.
const patient = Symbol.for('recaudo.patient');
const { waitFor } = vi;
if (!Reflect.has(vi, patient)) {
  Reflect.set(vi, patient, true);
  vi.waitFor = (work, options) =>
    waitFor(work, typeof options === 'number' ? options : { timeout, ...options });
}
