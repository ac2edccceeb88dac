import { tell } from './failure.ts';
import { readersMayLeave } from './print.ts';
import { commandsFor } from './tree.ts';

const words = process.argv.slice(2);
const end = words.indexOf('--');
/** Known before the line is understood: a line that is not has its error in the form it asks for. */
const json = words.slice(0, end < 0 ? words.length : end).includes('--json');

readersMayLeave((error) => {
  process.exitCode = tell(error, { json });
});
const program = await commandsFor(words, { quiet: json });
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(error, { json });
}
