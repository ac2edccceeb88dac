import { tell } from './failure.ts';
import type { Invocation } from './invocation.ts';
import { asksForJson } from './invocation.ts';
import { readersMayLeave } from './print.ts';
import { runCommand } from './run.ts';

const { env, stdout, stderr } = process;
const args = process.argv.slice(2);

function untilStopped(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  stdout.once('error', () => stopping.abort());
  return stopping.signal;
}

readersMayLeave((error) => {
  process.exitCode = tell(error, { json: asksForJson(args), stderr });
});
const invocation: Invocation = { args, env, stdout, stderr, untilStopped };
const status = await runCommand(invocation);
// If the output is lost, the command fails even though its work is done.
process.exitCode ||= status;
