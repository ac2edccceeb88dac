import { cleanRun } from './run-folder.ts';

/**
 * Cleans up after a test run: `node reaper.ts FOLDER`. It waits until its standard input ends,
 * which happens when the run is over or its process dies in any way.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('which run?');
process.stdin.resume();
process.stdin.on('close', () => void cleanRun(folder));
process.stdin.on('error', () => {});
