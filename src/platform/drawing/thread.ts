import { Worker } from 'node:worker_threads';
import { refusal } from '../codes.ts';
import { createFairSlots } from '../slots.ts';
import type { DrawingAnswer, DrawingJobs, DrawingOrder } from './worker.ts';

export type { DrawingJobs };

/** An idle thread ends after this time, which frees the memory of the drawing libraries. */
const idleMs = 20_000;
/** Timeout of a drawing, generous for slow machines. */
const longestMs = 15_000;
const mostMemoryMb = 512;

/** The account and network that a drawing counts against. */
export interface DrawnFor {
  account: string;
  /** The caller's network. Unset for the service itself. */
  network?: string | undefined;
}

const busy = () => refusal('documents_over_capacity', {});
const patienceMs = 10_000;
/** Two concurrent drawings per network, so that one reader cannot fill an account's queue. */
const networks = createFairSlots({
  most: Number.POSITIVE_INFINITY,
  each: 2,
  queued: 30,
  patienceMs,
  refusal: busy,
});
/** The thread draws one item at a time, and accounts take turns. */
const accounts = createFairSlots({ most: 1, queued: 60, patienceMs, refusal: busy });

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const program = new URL(`./worker.${extension}`, import.meta.url);

interface Thread {
  worker: Worker;
  waiting: Map<number, PromiseWithResolvers<string | Uint8Array>>;
}

let thread: Thread | null = null;
let orders = 0;
let holds = 0;
let idle: NodeJS.Timeout | undefined;

function end(): void {
  clearTimeout(idle);
  const ended = thread;
  thread = null;
  void ended?.worker.terminate();
}

function restIfIdle(): void {
  clearTimeout(idle);
  if (!thread || thread.waiting.size > 0) return;
  thread.worker.unref();
  if (holds === 0) idle = setTimeout(end, idleMs).unref();
}

function open(): Thread {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    stderr: true,
  });
  const opened: Thread = { worker, waiting: new Map() };
  const fail = (error: Error): void => {
    if (thread === opened) thread = null;
    for (const { reject } of opened.waiting.values()) reject(error);
    opened.waiting.clear();
  };
  worker.on('message', (answer: DrawingAnswer) => {
    const caller = opened.waiting.get(answer.id);
    opened.waiting.delete(answer.id);
    if ('error' in answer) caller?.reject(new Error(answer.error));
    else caller?.resolve(answer.drawing);
    restIfIdle();
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread that draws ended')));
  return opened;
}

async function draw(order: Omit<DrawingOrder, 'id'>): Promise<string | Uint8Array> {
  clearTimeout(idle);
  thread ??= open();
  thread.worker.ref();
  orders += 1;
  const id = orders;
  const answer = Promise.withResolvers<string | Uint8Array>();
  thread.waiting.set(id, answer);
  thread.worker.postMessage({ ...order, id } satisfies DrawingOrder);
  const timer = setTimeout(end, longestMs);
  try {
    return await answer.promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Keeps an idle thread and its state alive until the returned function is called. */
export function holdThread(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
    restIfIdle();
  };
}

/**
 * Runs a module's jobs off the event loop, in a thread that starts with the first of them. Rejects
 * with 503 if too many jobs wait for the account or network, or if a job waits too long.
 */
export const jobsInThread =
  <J extends DrawingJobs>(module: URL) =>
  async <N extends keyof J & string>(
    { account, network }: DrawnFor,
    job: N,
    ...args: Parameters<J[N]>
  ): Promise<Awaited<ReturnType<J[N]>>> => {
    const inTurn = () => accounts.run(account, () => draw({ module: module.href, job, args }));
    const drawing = await (network === undefined ? inTurn() : networks.run(network, inTurn));
    return (typeof drawing === 'string' ? drawing : Buffer.from(drawing)) as Awaited<
      ReturnType<J[N]>
    >;
  };
