import { doing } from '../src/platform/postgres/deadlines.ts';
import { readArguments, type Settings, usage } from './arguments.ts';
import { Void } from './cases/case.ts';
import { cases, onlyNamed } from './cases/index.ts';
import { type Result, reportText, writeJson } from './report.ts';

const failed = 1;
const wrongUse = 2;
/** Shutdown time for a case's processes. */
const leaveSeconds = 180;

let lastSaid = '';

const say = (text: string): void => {
  lastSaid = text.trim();
  process.stderr.write(`${text}\n`);
};

/** Returns the result of work, or rejects with `late` after a timeout. */
async function within<T>(seconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), seconds * 1000);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

let open = new AsyncDisposableStack();

/** Releases a case's resources exactly once, even if the run fails. */
async function leave(): Promise<void> {
  const stack = open;
  open = new AsyncDisposableStack();
  const late = () => new Error(`What the case started was not gone after ${leaveSeconds} s.`);
  await within(leaveSeconds, stack.disposeAsync(), late);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    say(`stopping on ${signal}`);
    void leave().finally(() => process.exit(failed));
  });
}

/** Returns a case's results. If the case is void or fails, prints the reason and returns null. */
async function runCase(name: string, settings: Settings): Promise<Result[] | null> {
  const { minutes } = settings;
  const cleanup = open;
  const late = () => new Void(`not done within ${minutes} minutes; last: ${lastSaid}`);
  try {
    const work = cases[name]?.({ settings, cleanup, say }) ?? Promise.resolve([]);
    return await within(minutes * 60, work, late);
  } catch (error) {
    const why = error instanceof Void ? error.message : (error as Error)?.stack;
    say(`VOID: ${name}: ${why ?? String(error)}`);
    return null;
  } finally {
    await leave().catch((error: unknown) => say(`after ${name}: ${String(error)}`));
  }
}

async function runCases(settings: Settings): Promise<{ results: Result[]; sound: boolean }> {
  const results: Result[] = [];
  let sound = true;
  for (const name of settings.names) {
    say(`case ${name}`);
    const own = await runCase(name, settings);
    if (own === null) sound = false;
    else results.push(...own);
  }
  return { results, sound };
}

function settingsOrExit(): Settings {
  try {
    return readArguments(process.argv.slice(2), Object.keys(cases), onlyNamed);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    say(`${error.message}\n${usage}`);
    return process.exit(wrongUse);
  }
}

const settings = settingsOrExit();
// Leftovers of an abandoned case may fail while its servers stop.
process.on('unhandledRejection', (error) => say(`after its case: ${String(error)}`));
// Filling a database takes longer than a call's timeout.
const { results, sound } = await doing('command', () => runCases(settings));
if (results.length > 0) process.stdout.write(`${reportText(results)}\n`);
if (settings.json !== null) await writeJson(settings.json, results);
if (!sound) say('At least one case is void: its figures were left out.');
process.exit(sound ? 0 : failed);
