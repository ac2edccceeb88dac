import { readFileSync } from 'node:fs';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of a file and of its child processes that ended. */
    processorSeconds?: number;
  }
}

/** Ticks per second in /proc/self/stat: a constant for programs, whatever the kernel uses. */
const ticks = 100;

/** Returns the processor time of this process and, on Linux, of its ended children. */
function spentSeconds(): number {
  try {
    // The process name, which precedes the numbers, may contain spaces and parentheses.
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

// A worker runs files one after another, and each loads its setup files first.
const before = spentSeconds();

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures a hook takes from its pattern.
afterAll(({}, suite) => {
  suite.file.meta.processorSeconds = Math.round(100 * (spentSeconds() - before)) / 100;
});
