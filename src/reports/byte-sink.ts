/** Size of a chunk passed on. */
const chunkBytes = 256 * 1024;

/** UTF-8 of one UTF-16 unit. */
const mostBytesPerUnit = 3;

/** Collects bytes in chunks. Writes in place, so it creates no garbage. */
export class ByteSink {
  /** The current chunk and its fill level; call `reserve` before writing there. */
  bytes = Buffer.alloc(0);
  length = 0;
  #full: Buffer[] = [];

  /** Makes room for `most` bytes. */
  reserve(most: number): void {
    if (this.length + most <= this.bytes.length) return;
    if (this.length > 0) this.#full.push(this.bytes.subarray(0, this.length));
    this.bytes = Buffer.allocUnsafe(Math.max(chunkBytes, most));
    this.length = 0;
  }

  text(text: string): void {
    this.reserve(text.length * mostBytesPerUnit);
    this.length += this.bytes.write(text, this.length);
  }

  /** Returns the full chunks, each once. */
  full(): Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Returns the remaining chunks, including the partial one. */
  end(): Buffer[] {
    const all = [...this.full(), this.bytes.subarray(0, this.length)];
    this.bytes = Buffer.alloc(0);
    this.length = 0;
    return all;
  }
}
