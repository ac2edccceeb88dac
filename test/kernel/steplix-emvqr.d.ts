declare module 'steplix-emvqr' {
  /** With `tiny`, objects by id, templates nested; throws on a wrong CRC. */
  export function decode(text: string, tiny: boolean): Record<string, unknown>;
}
