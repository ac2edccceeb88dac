type Signal = NodeJS.Signals;

let stop = (_signal: Signal): void => process.exit(0);

/** Makes SIGTERM and SIGINT exit with 0 while the process has opened nothing yet. */
export function expectSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
}

export function onSignal(handler: (signal: Signal) => void): void {
  stop = handler;
}
