import { type Watcher, watchedBy } from '../platform/progress.ts';
import { invocation } from './invocation.ts';
import type { Answering } from './print.ts';

const width = 30;
/** Maximum number of times that a bar is drawn, because terminals are slow. */
const everyPart = 200;
const everyCount = 500;

export interface Terminal {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** Draws a one-line progress indicator: a bar, or a count if the total is unknown. */
function bar(terminal: Terminal): Watcher & { end(): void } {
  let total = 0;
  let done = 0;
  let drawn = '';
  const draw = (): void => {
    const part = Math.min(done / total, 1);
    const blocks = '█'.repeat(Math.round(part * width)).padEnd(width, '░');
    const text =
      total === 0 ? `${done}` : `${blocks} ${Math.floor(part * 100)} %  ${done}/${total}`;
    if (text === drawn) return;
    terminal.write(`\r${text}\u001B[K`);
    drawn = text;
  };
  return {
    expect(count) {
      total += count;
      draw();
    },
    done(count) {
      const step = total === 0 ? everyCount : total / everyPart;
      const before = Math.floor(done / step);
      done += count;
      if (Math.floor(done / step) > before) draw();
    },
    end() {
      draw();
      terminal.write('\n');
    },
  };
}

/** Shows progress on a terminal. Silent in files, pipes and with --json. */
export async function withProgress<T>(
  { json }: Answering,
  work: () => Promise<T>,
  terminal: Terminal = invocation().stderr,
): Promise<T> {
  if (json || !terminal.isTTY) return await work();
  const progressBar = bar(terminal);
  try {
    return await watchedBy(progressBar, work);
  } finally {
    progressBar.end();
  }
}
