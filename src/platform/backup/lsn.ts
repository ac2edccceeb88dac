/** A place in the log of a server, as PostgreSQL writes it: `1A/2B3C4D`. */
export function readLsn(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export const writeLsn = (lsn: bigint): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffffffffn).toString(16).toUpperCase()}`;

const hex = (value: bigint | number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, '0');

export const timelineName = (timeline: number): string => hex(timeline, 8);

export const lsnName = (lsn: bigint): string => hex(lsn, 16);

/** The file of a segment, as the server names it. */
export function segmentName(timeline: number, start: bigint, segmentBytes: number): string {
  const no = start / BigInt(segmentBytes);
  const perLog = 0x100000000n / BigInt(segmentBytes);
  return `${hex(timeline, 8)}${hex(no / perLog, 8)}${hex(no % perLog, 8)}`;
}

/** The start of the segment that holds a place. */
export const segmentStart = (lsn: bigint, segmentBytes: number): bigint =>
  lsn - (lsn % BigInt(segmentBytes));
