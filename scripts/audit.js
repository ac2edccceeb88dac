// Fails if production installs a package with a known vulnerability that a newer release fixes.
// Prints vulnerabilities without a fix. If the registry returns no advisories, it passes with a
// warning, or fails with AUDIT_MUST_REACH=1.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const args = ['audit', '--omit=dev', '--audit', '--json', '--loglevel=error'];
const ran = spawnSync('npm', args, { cwd: root, encoding: 'utf8', timeout: 60_000 });
console.log('npm audit --omit=dev:');

function readReport(text) {
  try {
    const report = JSON.parse(text);
    return typeof report?.vulnerabilities === 'object' ? report.vulnerabilities : null;
  } catch {
    return null;
  }
}

const found = readReport(ran.stdout ?? '');
if (found === null) {
  const line = (ran.stderr ?? '').trim().split('\n')[0] || 'no answer within a minute';
  console.log(`NOT CHECKED: the registry gave no advisories (${line})`);
  process.exit(process.env.AUDIT_MUST_REACH === '1' ? 1 : 0);
}

/** Excludes packages affected only through a dependency, which the report lists separately. */
const own = Object.values(found).filter(({ via }) => via.some((one) => typeof one === 'object'));
const sentence = ({ name, severity, range, via, fixAvailable }) => {
  const titles = via.flatMap((one) => (typeof one === 'object' ? [`${one.title} ${one.url}`] : []));
  const fix = fixAvailable ? 'fixed in a release' : 'no release fixes it yet';
  return `${name} ${range}: ${severity}, ${fix}: ${titles.join('; ')}`;
};
for (const one of own) console.log(sentence(one));
const fixable = own.filter(({ fixAvailable }) => fixAvailable);
console.log(`${own.length} known vulnerabilities, ${fixable.length} of them with a fix`);
process.exit(fixable.length > 0 ? 1 : 0);
