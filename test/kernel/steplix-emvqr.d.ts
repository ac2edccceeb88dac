declare module 'steplix-emvqr' {
  /** `tiny` returns objects by id, with nested templates. Throws on a wrong CRC. */
  export function decode(text: string, tiny: boolean): Record<string, unknown>;
}
