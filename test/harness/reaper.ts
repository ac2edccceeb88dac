import { cleanRun } from './run-folder.ts';

/**
 * Cleans up behind a test run: `node reaper.ts FOLDER`. It waits until its standard input ends, which
 * happens when the run is over and when the run's process dies, however it dies.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which run?');
process.stdin.resume();
process.stdin.on('close', () => void cleanRun(folder));
process.stdin.on('error', () => {});
