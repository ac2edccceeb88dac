import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a file, in seconds: its own and that of child processes that ended. */
    processorSeconds?: number;
  }
}

/** Ticks of /proc/self/stat in a second: fixed for programs, whatever the kernel counts in. */
const ticks = 100;

/** Processor time of this process and of its ended children; elsewhere than on Linux its own. */
function spentSeconds(): number {
  try {
    // The name before it may hold spaces and parentheses.
    const [, after = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\)(?!.*\))/s);
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = after
      .trim()
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return (utime + stime + cutime + cstime) / ticks;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  }
}

// Files of a worker run one after another, and each loads its setup files first.
const before = spentSeconds();

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures a hook takes from its pattern.
afterAll(({}, suite) => {
  suite.file.meta.processorSeconds = Math.round(100 * (spentSeconds() - before)) / 100;
});
