// Compiles src and bench to dist and copies what is not TypeScript. Says so when Node is too old.
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
// `npm run check` checks the types; here they would cost as much as all the rest.
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json', '--noCheck'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status !== 0) process.exit(status ?? 1);
const folders = globSync(['src/**/assets', 'connectors/payway/assets']);
for (const folder of folders) {
  cpSync(folder, `dist/${folder}`, { recursive: true });
}
