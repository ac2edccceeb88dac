/** The last seal of an account on a day, stored outside the database. */
export interface Anchor {
  accountId: string;
  /** Day of the wall clock, in Argentina. */
  day: Temporal.PlainDate;
  sealNo: number;
  /** Hash of that seal's link, in hexadecimal. */
  hash: string;
}

export const anchorLine = ({ accountId, day, sealNo, hash }: Anchor): string =>
  JSON.stringify({ anchor: day.toString(), account: accountId, seal: sealNo, link: hash });

const shape =
  /\{"anchor":"(\d{4}-\d{2}-\d{2})","account":"([0-9A-F]{8})","seal":(\d{1,10}),"link":"([0-9a-f]{64})"\}/;

/**
 * Parses a line, with anything that a log server added around it. Returns null if it contains no
 * valid anchor.
 */
export function readAnchorLine(text: string): Anchor | null {
  const [, day, accountId, sealNo, hash] = shape.exec(text) ?? [];
  if (!day || !accountId || !sealNo || !hash) return null;
  try {
    return { accountId, day: Temporal.PlainDate.from(day), sealNo: Number(sealNo), hash };
  } catch {
    return null;
  }
}
