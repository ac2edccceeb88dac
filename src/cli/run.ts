import { tell } from './failure.ts';
import { asksForJson, exitWith, type Invocation, within } from './invocation.ts';
import { commandsFor } from './tree.ts';

/**
 * Runs one command line and returns its exit status. It neither reads nor changes the process, so
 * calls may run concurrently. Only `serve` and `connector` run until a signal ends the process.
 */
export const runCommand = (given: Invocation): Promise<number> =>
  within(given, async () => {
    const json = asksForJson(given.args);
    const program = await commandsFor(given.args, { quiet: json });
    try {
      await program.parseAsync([...given.args], { from: 'user' });
    } catch (error) {
      exitWith(tell(error, { json, stderr: given.stderr }));
    }
  });
