import cluster, { type Worker } from 'node:cluster';
import type { Measured, Spent, ToPrimary, ToProcess } from './messages.ts';

interface HandedOver {
  act?: string;
  seq?: number;
  ack?: number;
}

/**
 * Returns a function that closes orphaned connections: those sent to a process that died before
 * acknowledging them, whose callers would wait forever. Uses the messages of Node's cluster module.
 */
function watchHandedOver({ process: child }: Worker): () => void {
  const open = new Map<number, { close?(): void }>();
  const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
  child.send = (...sent: unknown[]): boolean => {
    const [message, handle] = sent as [HandedOver, { close?(): void } | undefined];
    if (message.act === 'newconn' && handle && message.seq !== undefined) {
      open.set(message.seq, handle);
    }
    return send(...sent);
  };
  child.on('internalMessage', ({ ack }: HandedOver) => {
    if (ack !== undefined) open.delete(ack);
  });
  return () => {
    for (const handle of open.values()) handle.close?.();
    open.clear();
  };
}

/** A process started by the primary. */
export class Member {
  /** Resolves with its start data. Rejects if it failed to start. */
  readonly ready: Promise<unknown>;
  readonly ended: Promise<void>;
  /** Receives the tokens that the process took. */
  onSpent: (spent: Spent) => void = () => {};
  /** Its last metrics. */
  measured: Measured = [];
  /** True once the primary asked it to leave. */
  leaving = false;
  hasEnded = false;
  isReady = false;
  readonly #worker: Worker;
  readonly #asked = new Map<number, () => void>();
  #no = 0;
  #unheard = 0;

  constructor(environment: Record<string, string>) {
    const worker = cluster.fork(environment);
    this.#worker = worker;
    // The system may refuse to start a process, because its program is being replaced or too many
    // files are open.
    const exists = worker.process.pid !== undefined;
    const closeHandedOver = exists ? watchHandedOver(worker) : () => {};
    const ready = Promise.withResolvers<unknown>();
    const ended = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    // Avoids an unhandled rejection. Waiters receive it too.
    ready.promise.catch(() => {});
    worker.on('message', (message: ToPrimary) => {
      if (message.kind === 'ready') {
        this.isReady = true;
        ready.resolve(message.startData);
      } else if (message.kind === 'failed') ready.reject(new Error(message.message));
      else if (message.kind === 'spent') this.onSpent(message.spent);
      else if (message.kind === 'here') this.#unheard = 0;
      else if (message.kind === 'measured') this.#take(message);
    });
    const end = (why: string): void => {
      this.hasEnded = true;
      closeHandedOver();
      for (const answer of this.#asked.values()) answer();
      ready.reject(new Error(why));
      ended.resolve();
    };
    worker.on('error', (error) => {
      // A process may be gone before a message reaches it.
      if (!exists) end(`A process could not be begun: ${error.message}.`);
    });
    worker.once('exit', (code, signal) => {
      end(`A process ended while it started: ${signal ?? `status ${code}`}.`);
    });
  }

  get pid(): number {
    return this.#worker.process.pid ?? 0;
  }

  tell(message: ToProcess): void {
    if (this.#worker.isConnected()) this.#worker.send(message, () => {});
  }

  /** Sends a heartbeat request. Returns how many earlier ones are unanswered. */
  look(): number {
    const unanswered = this.#unheard;
    this.#unheard += 1;
    this.tell({ kind: 'look' });
    return unanswered;
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }

  /** Requests its metrics. Returns the last ones on a timeout. */
  async measure(withinMs: number): Promise<Measured> {
    this.#no += 1;
    const no = this.#no;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asked.set(no, resolve);
    const timer = setTimeout(resolve, withinMs);
    if (this.#worker.isConnected()) this.tell({ kind: 'measure', no });
    else resolve();
    await promise;
    clearTimeout(timer);
    this.#asked.delete(no);
    return this.measured;
  }

  /** Asks it to leave and waits for its exit. Kills it on a timeout. */
  async leave(how: 'retire' | 'stop', withinMs: number): Promise<void> {
    this.leaving = true;
    this.tell({ kind: how });
    const timer = setTimeout(() => this.kill(), withinMs);
    await this.ended;
    clearTimeout(timer);
  }

  #take({ no, measured }: { no: number; measured: Measured }): void {
    this.measured = measured;
    this.#asked.get(no)?.();
  }
}
