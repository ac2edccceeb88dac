import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../process.js', import.meta.url));

export type Reply = { value: unknown } | { error: string };

/** A helper process that answers one question at a time. */
export interface Child<Q, A> {
  /** Rejects if the answer takes longer than `seconds`. */
  ask(question: Q, seconds?: number): Promise<A>;
}

const mostSeconds = 300;

/** Starts a role of process.ts and stops it at cleanup. `log` receives its stderr. */
export function startChild<Q, A>(
  role: string,
  cleanup: AsyncDisposableStack,
  log: number | 'inherit' = 'inherit',
): Child<Q, A> {
  const stdio = ['ignore', 'inherit', log, 'ipc'] as const;
  const child = fork(entry, [role], { serialization: 'advanced', stdio: [...stdio] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  cleanup.defer(async () => {
    // It has no state to save.
    child.kill('SIGKILL');
    await ended;
  });
  return {
    async ask(question, seconds = mostSeconds) {
      const { promise, resolve, reject } = Promise.withResolvers<A>();
      const onExit = (): void => reject(new Error(`The process ${role} ended.`));
      const onReply = (reply: Reply): void => {
        if ('error' in reply) reject(new Error(reply.error));
        else resolve(reply.value as A);
      };
      const timer = setTimeout(() => {
        reject(new Error(`The process ${role} did not answer within ${seconds} s.`));
      }, seconds * 1000);
      child.once('exit', onExit);
      child.once('message', onReply);
      try {
        child.send(question as object);
        return await promise;
      } finally {
        clearTimeout(timer);
        child.off('exit', onExit);
        child.off('message', onReply);
      }
    },
  };
}
