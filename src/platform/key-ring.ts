/** One of the service's keys: 32 bytes in hexadecimal, and its number. */
export interface RingKey {
  no: number;
  key: string;
}

/** A process's keys for a purpose. The current one signs, and older ones verify. */
export interface KeyRing {
  current(): RingKey;
  /** Returns a key by its number, or null if it is unknown or retired. */
  key(no: number): string | null;
}
