/** Parses a log position as PostgreSQL writes it: `1A/2B3C4D`. */
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

/** Returns a segment's file name in the server's scheme. */
export function segmentName(timeline: number, start: bigint, segmentBytes: number): string {
  const no = start / BigInt(segmentBytes);
  const perLog = 0x100000000n / BigInt(segmentBytes);
  return `${hex(timeline, 8)}${hex(no / perLog, 8)}${hex(no % perLog, 8)}`;
}

/** Returns the start of the segment that contains a position. */
export const segmentStart = (lsn: bigint, segmentBytes: number): bigint =>
  lsn - (lsn % BigInt(segmentBytes));
