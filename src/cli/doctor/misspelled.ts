import { variables } from '../../config/index.ts';

const leastLength = 7;
const mostEdits = 2;

/** Counts insertions, deletions, replacements and swaps between two words. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const replaced = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = row > 1 && column > 1 && isSwap ? (before[column - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}

/** Pairs unknown names with the variable that differs by at most two edits. */
export function misspelled(names: readonly string[]): [name: string, near: string][] {
  const known = Object.keys(variables);
  return names
    .filter((name) => name.length >= leastLength && !known.includes(name))
    .flatMap((name): [string, string][] => {
      const near = known.find(
        (one) => one.length >= leastLength && editsBetween(name, one) <= mostEdits,
      );
      return near === undefined ? [] : [[name, near]];
    });
}
