import { type Profiler, Session } from 'node:inspector/promises';

/**
 * Counts a run's cost in steps that do not depend on the machine: executions of these files'
 * blocks, as V8 counts them, and the lengths of inputs to native code.
 */
export async function countSteps(files: RegExp, run: () => void): Promise<number> {
  let native = 0;
  const watch = <K extends string>(object: Record<K, (...all: never[]) => unknown>, name: K) => {
    const original = object[name];
    object[name] = function (this: unknown, ...all: never[]) {
      native += lengthOf(all[0]);
      return original.apply(this, all);
    };
    return () => {
      object[name] = original;
    };
  };
  const restore = [
    watch(TextDecoder.prototype, 'decode'),
    watch(JSON, 'parse'),
    watch(Object.getPrototypeOf(Uint8Array.prototype), 'set'),
  ];
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return native + result.filter(({ url }) => files.test(url)).reduce(addBlocks, 0);
  } finally {
    session.disconnect();
    for (const undo of restore) undo();
  }
}

const lengthOf = (value: { length: number } | undefined): number => value?.length ?? 0;

const addBlocks = (sum: number, { functions }: Profiler.ScriptCoverage): number =>
  functions.flatMap(({ ranges }) => ranges).reduce((before, { count }) => before + count, sum);
