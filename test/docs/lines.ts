/** A line of a document that readers are to run. */
export interface DocumentLine {
  page: string;
  /** First line in the page, counted from 1. */
  at: number;
  text: string;
}

const runs = /^(?:try +)?(npx recaudo |curl )/;
/** A command within a sentence. One with an ellipsis or a placeholder is only a pattern. */
const inSentence = /`((?:npx recaudo|curl) [^`…<]+)`/g;

/** Returns the commands of a page in order, from blocks and from sentences. */
export function linesOf(page: string, text: string): DocumentLine[] {
  const found: DocumentLine[] = [];
  let fenced = false;
  let begun: DocumentLine | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.startsWith('```')) {
      fenced = !fenced;
      continue;
    }
    const at = index + 1;
    if (!fenced) {
      for (const [, command = ''] of line.matchAll(inSentence))
        found.push({ page, at, text: command });
      continue;
    }
    if (begun) begun.text += `\n${line}`;
    else if (runs.test(line)) begun = { page, at, text: line.replace(/^try +/, '') };
    if (begun && !line.endsWith('\\')) {
      found.push(begun);
      begun = null;
    }
  }
  return found;
}
