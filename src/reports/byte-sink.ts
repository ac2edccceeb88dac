const chunkBytes = 256 * 1024;

/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const mostBytesPerUnit = 3;

/** Collects bytes in chunks. Writes in place, to avoid garbage. */
export class ByteSink {
  /** Current chunk and fill level. Call `reserve` before writing. */
  bytes = Buffer.alloc(0);
  length = 0;
  #full: Buffer[] = [];

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

  /** Returns the full chunks and forgets them. */
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
