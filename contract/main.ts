import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reportOf, runContract } from './run.ts';

const usage = `node contract/main.ts --base URL --key KEY [--qr-base URL] [--report FILE] [--strict]

Checks an implementation of the interface. It creates requests, mandates and QRs: use a test key.
Exit status: 0 if it keeps the interface (with --strict: Recaudo's extensions too), 1 if not, 2 for
wrong arguments.
`;

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        base: { type: 'string' },
        key: { type: 'string' },
        'qr-base': { type: 'string' },
        report: { type: 'string' },
        strict: { type: 'boolean', default: false },
      },
    });
    const { base = '', key = '', 'qr-base': qrBase = base } = values;
    const isAddress = (text: string): boolean => /^https?:/.test(text) && URL.canParse(text);
    if (!isAddress(base) || !isAddress(qrBase) || !/^[!-~]+$/.test(key)) return null;
    const plain = (text: string): string => text.replace(/\/+$/, '');
    return { ...values, target: { base: plain(base), qrBase: plain(qrBase), key } };
  } catch {
    return null;
  }
}

const given = readArguments();
if (given === null) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const results = await runContract(given.target);
  const report = reportOf(results, given.target.base);
  if (given.report === undefined) process.stdout.write(report);
  else writeFileSync(given.report, report);
  const isBroken = results.some(
    ({ verdict, level }) => verdict === 'failed' && (given.strict || level === 'interface'),
  );
  process.exitCode = isBroken ? 1 : 0;
}
