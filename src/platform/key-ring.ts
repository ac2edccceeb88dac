/** A key of the service's own: 32 bytes as hexadecimal digits, and the number that names it. */
export interface RingKey {
  no: number;
  key: string;
}

/** A process's view of a purpose's keys: the current one signs, older ones verify. */
export interface KeyRing {
  current(): RingKey;
  /** Returns a key by its number, or null if it is unknown or retired. */
  key(no: number): string | null;
}
