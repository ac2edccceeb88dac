/** A key of the service's own: 32 bytes as hexadecimal digits, and the number that names it. */
export interface RingKey {
  no: number;
  key: string;
}

/** The keys of a purpose as a process knows them: one makes new things, older ones verify. */
export interface KeyRing {
  current(): RingKey;
  /** By its number; null where it is not known, or retired. */
  key(no: number): string | null;
}
