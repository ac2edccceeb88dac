import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type Anchor, readAnchorLine } from './line.ts';
import { readLinks } from './store.ts';

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
 * Compares the anchors in a file, written by this service or a log server, with the chains. Each
 * anchor whose seal is missing or differs is a fault, also after the account was deleted. `only`
 * selects accounts.
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
