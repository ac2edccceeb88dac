import type { Reply } from './harness/child.ts';
import { runFlows } from './harness/flow.ts';
import { runLoad } from './harness/load.ts';
import { serveHandwritten } from './references/handwritten/server.ts';
import { serveHello } from './references/hello.ts';
import { runPostLoop } from './references/post-loop.ts';
import { runReceiver } from './references/receiver.ts';
import { serveSameBody } from './references/same-body.ts';
import { serveSameRoute } from './references/same-route.ts';

/** Roles of helper processes, which answer their parent's questions. */
const roles: Record<string, (question: never) => Promise<unknown>> = {
  load: runLoad,
  flow: runFlows,
  hello: serveHello,
  'same-body': serveSameBody,
  'same-route': serveSameRoute,
  handwritten: serveHandwritten,
  receiver: runReceiver,
  'post-loop': runPostLoop,
};

const role = roles[process.argv[2] ?? ''];
if (!role || !process.send) throw new Error('This file is started by the benchmark.');

const reply = (message: Reply): void => {
  process.send?.(message);
};

process.on('disconnect', () => process.exit(0));
process.on('message', (question) => {
  role(question as never).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ error: error instanceof Error ? `${error.stack}` : String(error) }),
  );
});
