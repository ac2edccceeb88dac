import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type Anchor, readAnchorLine } from './line.ts';
import { readLinks } from './store.ts';

/** A contradiction between an anchored line and the chain. */
export interface AnchorFault {
  accountId: string;
  what: string;
}

export interface AnchorCheck {
  /** Number of lines with an anchor. */
  lines: number;
  faults: AnchorFault[];
}

const atOnce = 5_000;

function faultOf({ accountId, day, sealNo, hash }: Anchor, links: Map<string, string>) {
  const found = links.get(`${accountId} ${sealNo}`);
  if (found === hash) return [];
  const seal = `seal ${sealNo}, anchored on ${day}`;
  const what =
    found === undefined
      ? `${seal}, is missing: the end of the chain was removed`
      : `${seal}, has changed: the chain was rebuilt`;
  return [{ accountId, what }];
}

/**
 * Compares anchored lines, from a file or a log server, with the chains. Returns each account and
 * day that differs. The anchor of a deleted account is a fault.
 */
export async function checkAnchors(
  sql: Queryable,
  path: string,
  only: (accountId: string) => boolean = () => true,
): Promise<AnchorCheck> {
  const check: AnchorCheck = { lines: 0, faults: [] };
  let waiting: Anchor[] = [];
  const compare = async (): Promise<void> => {
    const links = await readLinks(sql, waiting);
    check.faults.push(...waiting.flatMap((anchor) => faultOf(anchor, links)));
    waiting = [];
  };
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const anchor = readAnchorLine(line);
    if (anchor === null) continue;
    check.lines += 1;
    if (only(anchor.accountId)) waiting.push(anchor);
    if (waiting.length >= atOnce) await compare();
  }
  await compare();
  return check;
}
