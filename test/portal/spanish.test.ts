import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { faultText } from '../../src/portal/frame/faults.ts';

/** What speaks to programs, payers or the operator's shell, and to no form of the portal. */
const elsewhere = [
  // Programs that call, and how they are answered; refusals with a code, which have both languages.
  /\/(?:routes|answers|codes|named-answers|gate|strangers|broken-call|endpoint|paging|server)\.ts$/,
  /^platform\/http\/(?:body|body-bytes|free-port|openapi|turns|shapes)/,
  /^platform\/(?:embedded|postgres|replica|processes|metrics|idempotency|memory-budget|vault|batcher)/,
  /^(?:config|database|server|api-examples|main|audit|calendar|checkout|commands|cli|composition)/,
  /^(?:connectors|signing|secrets|webhooks\/feed\/(?!resend)|reports\/(?:read|schema))/,
  /^(?:portal|platform\/pages|sandbox\/(?:simulator|demo|mandates|debits|card))/,
  // Answers of the QR service to programs and wallets.
  /^qr\/(?:errors|resolve|payload|static|dynamic\/(?:read|schema)|network|pay-answer|batch)/,
  /^qr\/imports\/(?:schema|result|processing\/document|storage)/,
  // Shapes that the reference shows, kept texts, evidence.
  /\/(?:present|evidence|letters?|words|texts|titles|kinds|default-texts|compose)\.ts$/,
  /^(?:payment-requests\/(?:documents|mails\/unsubscribe)|debit-requests\/runs)/,
  /^kernel\//,
  // What an API key, a connector, the operator's shell or the log is told.
  /^accounts\/authenticate|^seals\/|^money\/(?:channels|charges|ledger|plans|collections\/daily)|\/erase-cards|\/shred/,
  // What is noted of mandates, payments and reversals, in the words of the API.
  /^mandates\/states|^money\/unwanted|^rails\/debits\/[\w-]+\/read|^rails\/files\/fields|^platform\/http\/cors|^payment-requests\/cvu\/open/,
];

async function filesOf(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true });
  return all.filter((name) => /\.tsx?$/.test(name)).toSorted();
}

const literals = /'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g;

/** Second halves of sentences whose first one is known, and what no form is told. */
const halves = [
  'GET /card-adhesion/public-key answers the one to encrypt for.',
  'Cancel some, or wait until they are signed or expire.',
  '7, not now: ask the bank for the one in use.',
  'POST /webhook/7/rotate-secret answers the one that signs.',
  '7: there is no month 7.',
  '7: years begin with 0001.',
  // To whoever uploads by an address that the API made.
  'No document was uploaded while the address was valid.',
];

/** What background work that goes on for other accounts says in the log, and errors of no verb. */
const logged =
  /(?:\bfailed: |\bnew (?:Aggregate)?Error\([^'`;]*)(?:'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)/g;

/** The sentences of a file, with something in place of what they hold. */
function sentencesIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(logged, '');
  return [...code.matchAll(literals)]
    .map(([, plain, template]) => plain ?? template ?? '')
    .filter((one) => /^(?:[A-Z]|\$\{)[\s\S]*[a-z]{2,} [a-z]+[\s\S]*\.$/.test(one))
    .map((one) => one.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7'));
}

test('each sentence with which a verb refuses a form has its Spanish', async () => {
  const root = path.join(packageRoot(), 'src');
  const untold: string[] = [];
  let sentences = 0;
  for (const file of await filesOf(root)) {
    if (elsewhere.some((place) => place.test(file))) continue;
    for (const one of sentencesIn(await readFile(path.join(root, file), 'utf8'))) {
      sentences += 1;
      if (!halves.includes(one) && faultText('es', one) === one) untold.push(`${file}: ${one}`);
    }
  }
  expect(untold).toEqual([]);
  expect(sentences).toBeGreaterThan(0);
});

test.each([
  ['There is no picture with this id.', 'No existe, o no es de esta cuenta.'],
  [
    'Withdrawn by ana@example.com: import 7 was undone.',
    'Lo retiró ana@example.com, al deshacer la importación 7.',
  ],
])('%s', (told, words) => {
  expect(faultText('es', told)).toBe(words);
  expect(faultText('en', told)).toBe(told);
});
