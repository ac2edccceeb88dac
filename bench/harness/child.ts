import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../process.js', import.meta.url));

export type Reply = { value: unknown } | { error: string };

/** A helper in a process of its own, which answers one question at a time. */
export interface Child<Q, A> {
  ask(question: Q): Promise<A>;
}

/** Starts a role of process.ts; it ends with the cleanup. `log`: where its stderr goes. */
export function startChild<Q, A>(
  role: string,
  cleanup: AsyncDisposableStack,
  log: number | 'inherit' = 'inherit',
): Child<Q, A> {
  const stdio = ['ignore', 'inherit', log, 'ipc'] as const;
  const child = fork(entry, [role], { serialization: 'advanced', stdio: [...stdio] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  cleanup.defer(async () => {
    child.kill();
    await ended;
  });
  return {
    ask(question) {
      const { promise, resolve, reject } = Promise.withResolvers<A>();
      const onExit = (): void => reject(new Error(`The process ${role} ended.`));
      child.once('exit', onExit);
      child.once('message', (reply: Reply) => {
        child.off('exit', onExit);
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.value as A);
      });
      child.send(question as object);
      return promise;
    },
  };
}
