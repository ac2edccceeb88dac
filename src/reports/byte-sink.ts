/** Size of what is handed on at once. */
const chunkBytes = 256 * 1024;

/** UTF-8 of one UTF-16 unit. */
const mostBytesPerUnit = 3;

/** Bytes in chunks: each is written where it belongs at once, and becomes no garbage. */
export class ByteSink {
  /** The chunk that is being filled, and how far it is; `reserve` first, then write there. */
  bytes = Buffer.alloc(0);
  length = 0;
  #full: Buffer[] = [];

  /** Makes room for so many bytes. */
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

  /** The chunks that are full, each once. */
  full(): Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Those and what is left. */
  end(): Buffer[] {
    const all = [...this.full(), this.bytes.subarray(0, this.length)];
    this.bytes = Buffer.alloc(0);
    this.length = 0;
    return all;
  }
}
