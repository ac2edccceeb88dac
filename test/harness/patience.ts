import { vi } from 'vitest';

const timeout = 60_000;

// Sets a longer default timeout for `vi.waitFor`: one second is too short on a busy machine. A test
// can set its own. Test files that share a process set the default once.
const patient = Symbol.for('recaudo.patient');
const { waitFor } = vi;
if (!Reflect.has(vi, patient)) {
  Reflect.set(vi, patient, true);
  vi.waitFor = (work, options) =>
    waitFor(work, typeof options === 'number' ? options : { timeout, ...options });
}
