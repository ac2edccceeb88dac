import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded into the service by `--import`: writes its event loop's longest turn to a file, in the
// thread's CPU time, which ignores other load on the machine.

const file = process.env.BENCH_TURNS;

function watch(name: string): void {
  let longestMs = 0;
  let last = process.threadCpuUsage();
  const look = (): void => {
    const used = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (used.user + used.system) / 1_000);
  };
  const tell = (): void => {
    // An empty file resets the measurement.
    if (readFileSync(name, 'utf8') === '') longestMs = 0;
    writeFileSync(name, String(longestMs));
    last = process.threadCpuUsage();
  };
  setInterval(look, 1).unref();
  setInterval(tell, 250).unref();
}

if (file !== undefined && isMainThread) watch(file);
