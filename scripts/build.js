// Compiles src and bench to dist and copies the assets. Refuses an outdated Node.js with an
// explanation.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, rmSync } from 'node:fs';

const wanted = 26;
if (Number(process.versions.node.split('.')[0]) < wanted) {
  console.error(
    `Building needs Node.js ${wanted}; this is ${process.version}. Use the npm scripts after a full ` +
      '`npm ci`: they find the Node.js that comes with it.',
  );
  process.exit(1);
}
rmSync('dist', { recursive: true, force: true });
// `npm run check` checks types; checking them here would double the build time.
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json', '--noCheck'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);
const folders = globSync(['src/**/assets', 'connectors/payway/assets']);
for (const folder of folders) {
  cpSync(folder, `dist/${folder}`, { recursive: true });
}
