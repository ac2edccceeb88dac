/** Maximum bytes read per message. Later parts are irrelevant. */
const longestMessage = 256 * 1024;
const longestWords = 500;

/** A mail server's report of an undeliverable email (RFC 3464). */
export interface Bounce {
  /** The bounced email, from its Message-ID. */
  accountId: string;
  mailId: number;
  /** Such as `5.1.1`, or null if absent. */
  status: string | null;
  words: string;
  /** The report's text in lower case, to search for the address. */
  text: string;
}

export type Report = Bounce | 'other';

/** Splits an mbox folder into messages. Also accepts a single message. */
function* messagesOf(text: string): Generator<string> {
  if (!/^From .*\r?\n/.test(text)) {
    yield text.slice(0, longestMessage);
    return;
  }
  let start = 0;
  for (;;) {
    const end = text.indexOf('\nFrom ', start);
    const last = end === -1 ? text.length : end + 1;
    const message = text.slice(start, Math.min(last, start + longestMessage));
    yield message.replace(/^From .*\r?\n/, '');
    if (end === -1) return;
    start = end + 1;
  }
}

const unfolded = (text: string): string => text.replace(/\r?\n[ \t]+/g, ' ');

/** Returns a header or field by name, or '' if absent. */
const fieldIn = (text: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*)$`, 'im').exec(unfolded(text))?.[1]?.trim() ?? '';

/** Splits a delivery report into its parts. Returns none for any other message. */
function partsOf(message: string): string[] {
  const [head = ''] = message.split(/\r?\n\r?\n/, 1);
  const type = fieldIn(head, 'Content-Type');
  if (!/^multipart\/report\b/i.test(type) || !/delivery-status/i.test(type)) return [];
  const boundary = /boundary="?([^";\s]{1,200})"?/i.exec(type)?.[1];
  return boundary === undefined ? [] : message.split(`--${boundary}`).slice(1);
}

const typeOf = (part: string): string =>
  fieldIn(part.split(/\r?\n\r?\n/, 2).join('\n'), 'Content-Type');

const ownId = /^Message-ID:\s{0,8}<([0-9A-F]{8})\.([1-9]\d{0,15})@/im;

function reportOf(message: string): Report {
  const parts = partsOf(message);
  const status = parts.find((part) => /^message\/(global-)?delivery-status/i.test(typeOf(part)));
  const returned = parts.find((part) =>
    /^(message\/rfc822|text\/rfc822-headers)/i.test(typeOf(part)),
  );
  const [, accountId, mailId] = ownId.exec(unfolded(returned ?? '')) ?? [];
  if (status === undefined || accountId === undefined) return 'other';
  // A delayed, relayed or delivered message is not a bounce.
  if (fieldIn(status, 'Action').toLowerCase() !== 'failed') return 'other';
  const code = /^[245]\.\d{1,3}\.\d{1,3}/.exec(fieldIn(status, 'Status'))?.[0] ?? null;
  const said = fieldIn(status, 'Diagnostic-Code').replace(/^[\w-]+;\s*/, '');
  const words = [...(said || (code ?? '')).replace(/[^\P{C}]/gu, ' ')].slice(0, longestWords);
  return {
    accountId,
    mailId: Number(mailId),
    status: code,
    words: words.join('').trim() || 'bounced',
    text: unfolded(`${status}\n${returned ?? ''}`).toLowerCase(),
  };
}

/** Parses bounces from a message (`.eml`) or a folder (`mbox`). */
export function* readReports(text: string): Generator<Report> {
  for (const message of messagesOf(text)) yield reportOf(message);
}

/** Returns true if an address is gone (RFC 3463: 5.1.x and 5.2.1), not merely full or refusing. */
export const isGone = ({ status }: Bounce): boolean =>
  status !== null && (/^5\.1\./.test(status) || status === '5.2.1');
