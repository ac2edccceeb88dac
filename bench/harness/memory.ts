import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MB (10^6 bytes). */
export function residentMegabytes(pid: number): number {
  const kibibytes =
    process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Samples a process during `work`; returns the peak. */
export async function peakMemory<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ value: T; megabytes: number }> {
  let megabytes = residentMegabytes(pid);
  const look = (): void => {
    megabytes = Math.max(megabytes, residentMegabytes(pid));
  };
  const timer = setInterval(look, 200);
  try {
    const value = await work();
    look();
    return { value, megabytes };
  } finally {
    clearInterval(timer);
  }
}
