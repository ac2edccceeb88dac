import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const git = (root: string, ...given: string[]): string =>
  execFileSync('git', given, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/**
 * Copies the working tree, or a revision, to a separate folder, so that faults are never planted in
 * a developer's tree.
 */
export function copyTree(root: string, revision: string | null): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'recaudo-mutants-'));
  if (revision === null) {
    const files = git(root, 'ls-files', '-co', '--exclude-standard', '-z').split('\0');
    for (const file of files.filter((one) => one !== '' && existsSync(path.join(root, one)))) {
      cpSync(path.join(root, file), path.join(copy, file));
    }
  } else {
    const archive = path.join(copy, 'tree.tar');
    git(root, 'archive', '--output', archive, revision);
    execFileSync('tar', ['-xf', 'tree.tar'], { cwd: copy });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}
