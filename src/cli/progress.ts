const width = 30;

/** Where a bar is drawn. */
interface Watched {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** A bar on a terminal; silent where nobody watches. */
export function progressBar(total: number, stream: Watched = process.stderr) {
  if (!stream.isTTY) return { show() {}, end() {} };
  return {
    show(done: number) {
      const part = total === 0 ? 1 : done / total;
      const bar = '█'.repeat(Math.round(part * width)).padEnd(width, '░');
      stream.write(`\r${bar} ${Math.floor(part * 100)} %  ${done}/${total}`);
    },
    end() {
      stream.write('\n');
    },
  };
}
