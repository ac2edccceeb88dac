import { doing } from '../src/platform/postgres/deadlines.ts';
import { readArguments, type Settings, usage } from './arguments.ts';
import { Void } from './cases/case.ts';
import { cases } from './cases/index.ts';
import { type Result, reportText, writeJson } from './report.ts';

const failed = 1;
const wrongUse = 2;

const say = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

let open = new AsyncDisposableStack();

/** Stops what a case has started, once, however the run ends. */
async function leave(): Promise<void> {
  const stack = open;
  open = new AsyncDisposableStack();
  await stack.disposeAsync();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    say(`stopping on ${signal}`);
    void leave().finally(() => process.exit(failed));
  });
}

async function runCases(settings: Settings): Promise<{ results: Result[]; sound: boolean }> {
  const results: Result[] = [];
  let sound = true;
  for (const name of settings.names) {
    say(`case ${name}`);
    try {
      results.push(...((await cases[name]?.({ settings, cleanup: open, say })) ?? []));
    } catch (error) {
      if (!(error instanceof Void)) throw error;
      say(`VOID: ${name}: ${error.message}`);
      sound = false;
    } finally {
      await leave();
    }
  }
  return { results, sound };
}

function settingsOrExit(): Settings {
  try {
    return readArguments(process.argv.slice(2), Object.keys(cases));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    say(`${error.message}\n${usage}`);
    return process.exit(wrongUse);
  }
}

const settings = settingsOrExit();
// What fills a database takes longer than a call may.
const { results, sound } = await doing('command', () => runCases(settings));
if (results.length > 0) process.stdout.write(`${reportText(results)}\n`);
if (settings.json !== null) await writeJson(settings.json, results);
if (!sound) say('At least one case is void: its figures were left out.');
process.exit(sound ? 0 : failed);
