import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import { openEmbedded } from '../src/platform/embedded/embedded.ts';
import { generatedDocuments } from './documents.ts';

/** Writes the generated parts of the documentation; a test compares them with the repository. */
const dataDir = await mkdtemp(path.join(tmpdir(), 'recaudo-docs-'));
const embedded = await openEmbedded({ dataDir, log: () => {} });
try {
  for (const [file, text] of await generatedDocuments(embedded.ownerUrl)) {
    await writeFile(path.join(packageRoot(), file), text);
    process.stdout.write(`wrote ${file}\n`);
  }
} finally {
  await embedded.close();
  await rm(dataDir, { recursive: true, force: true });
}
