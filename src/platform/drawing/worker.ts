import { parentPort } from 'node:worker_threads';

export interface DrawingOrder {
  id: number;
  module: string;
  job: string;
  args: readonly unknown[];
}

export type DrawingAnswer =
  | { id: number; drawing: string | Uint8Array }
  | { id: number; error: string };

/** Jobs by name. They return text or bytes, which threads can exchange. */
export type DrawingJobs = Readonly<
  Record<string, (...args: never[]) => Promise<string | Uint8Array> | string | Uint8Array>
>;

const answer = (message: DrawingAnswer): void => parentPort?.postMessage(message);

async function obey({ module, job, args }: DrawingOrder): Promise<string | Uint8Array> {
  const { jobs } = (await import(module)) as { jobs: DrawingJobs };
  const draw = jobs[job];
  if (!draw) throw new Error(`there is no job ${job}`);
  return await draw(...(args as never[]));
}

parentPort?.on('message', (order: DrawingOrder) => {
  obey(order).then(
    (drawing) => answer({ id: order.id, drawing }),
    (error: Error) => answer({ id: order.id, error: error.message }),
  );
});
