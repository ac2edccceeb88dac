import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Copies the pages beside the packages: a page outside of this folder would not find Vue. */
const here = import.meta.dirname;
const pages = path.join(here, 'pages');
rmSync(pages, { recursive: true, force: true });
for (const name of ['README.md', 'glossary.md', 'tutorials', 'how-to', 'reference', 'explanation'])
  cpSync(path.join(here, '..', name), path.join(pages, name), { recursive: true });
