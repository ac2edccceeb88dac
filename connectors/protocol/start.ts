import type { Listening } from './http.ts';

export const logLine = (line: Record<string, unknown>): void => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
};

/** Runs until SIGTERM or SIGINT, then finishes work in progress and exits with 0. */
export async function runUntilStopped(open: () => Promise<Listening>): Promise<void> {
  let stop = (): void => process.exit(0);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop());
  const { origin, stop: close } = await open();
  process.stdout.write(`ready ${origin}\n`);
  await new Promise<void>((resolve) => {
    stop = resolve;
  });
  setTimeout(() => process.exit(0), 20_000).unref();
  await close();
}
